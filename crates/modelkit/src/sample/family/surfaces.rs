//! The materials that the families share, with small procedural textures.

use crate::Result;
use crate::sample::model::Model;
use crate::sample::noise::{fractal, mix, paint, rgb, step, value};
use crate::scene::Material;
use std::f32::consts::TAU;

/// Side of a texture.
const SIDE: u32 = 256;

/// One of the colours of a family by its parameter `tone`.
pub fn tone<const N: usize>(colors: [u32; N], tone: f32) -> u32 {
    colors[(tone.max(0.0) as usize).min(N - 1)]
}

impl Model {
    pub fn steel(&mut self) -> u32 {
        self.paint("拉丝钢", 0xC9CED6, 1.0, 0.32)
    }

    pub fn brass(&mut self) -> u32 {
        self.paint("黄铜", 0xC79A3E, 1.0, 0.26)
    }

    pub fn iron(&mut self) -> u32 {
        self.paint("铸铁", 0x4A4F58, 0.75, 0.55)
    }

    /// A painted surface.
    pub fn coat(&mut self, name: &str, color: u32) -> u32 {
        self.paint(name, color, 0.05, 0.36)
    }

    /// Opaque glass with a mirror's shine: what is behind windows stays unseen.
    pub fn pane(&mut self) -> u32 {
        self.paint("玻璃", 0x26394C, 0.4, 0.08)
    }

    pub fn glow(&mut self) -> u32 {
        self.material(Material {
            emissive: [1.0, 0.86, 0.6],
            roughness: 0.5,
            ..Material::plain("灯光", [1.0, 0.95, 0.85, 1.0])
        })
    }

    fn textured(
        &mut self,
        name: &str,
        file: &str,
        rough: f32,
        color: impl Fn(f32, f32) -> [f32; 3] + Sync,
    ) -> Result<u32> {
        let map = self.texture(file, || paint(SIDE, SIDE, color))?;
        Ok(self.material(Material {
            base_color_texture: Some(map),
            roughness: rough,
            ..Material::plain(name, [1.0; 4])
        }))
    }

    /// Wood with its grain along u: 0 oak, 1 walnut, 2 cherry, 3 pine, 4 ebony.
    pub fn wood(&mut self, kind: f32) -> Result<u32> {
        let light = rgb(tone(
            [0xC9A06A, 0x7A5233, 0x9E5A35, 0xE2C08D, 0x3A2A22],
            kind,
        ));
        let dark = rgb(tone(
            [0x9A6F3F, 0x4A2E1C, 0x6E3520, 0xBF9458, 0x1E1512],
            kind,
        ));
        let name = ["橡木", "胡桃木", "樱桃木", "松木", "乌木"][(kind.max(0.0) as usize).min(4)];
        self.textured(name, "wood.png", 0.52, move |u, v| {
            let wave = fractal(u, v, 3, 3, 11) * 0.9;
            let rings = ((v * 6.0 + wave) * TAU).sin() * 0.5 + 0.5;
            let fibre = value(u * 16.0, v * 64.0, 16, 5);
            mix(light, dark, rings * 0.55 + fibre * 0.5 - 0.12)
        })
    }

    /// Stone: 0 granite, 1 sandstone, 2 basalt, 3 marble.
    pub fn stone(&mut self, kind: f32) -> Result<u32> {
        let light = rgb(tone([0xA9A7A2, 0xD2B48A, 0x5C6066, 0xF0EDE6], kind));
        let dark = rgb(tone([0x6E6D6B, 0xA98456, 0x2F3338, 0xA8A6A4], kind));
        let marble = kind >= 3.0;
        self.textured(
            "石材",
            "stone.png",
            if marble { 0.25 } else { 0.85 },
            move |u, v| {
                let broad = fractal(u, v, 4, 5, 3);
                let grain = value(u * 96.0, v * 96.0, 96, 8);
                let vein = step(0.06, 0.0, (fractal(u, v, 3, 4, 19) - 0.5).abs());
                match marble {
                    true => mix(light, dark, vein * 0.8 + broad * 0.15),
                    false => mix(light, dark, broad * 0.8 + grain * 0.45 - 0.15),
                }
            },
        )
    }

    /// Courses of brick or ashlar with joints; one repeat is four courses.
    pub fn masonry(&mut self, name: &str, color: u32, joint: u32) -> Result<u32> {
        let (face, joint) = (rgb(color), rgb(joint));
        self.textured(name, "masonry.png", 0.9, move |u, v| {
            let row = (v * 4.0).floor();
            let x = u * 2.0 + if row as i64 % 2 == 0 { 0.0 } else { 0.5 };
            let (fx, fy) = (x.fract(), (v * 4.0).fract());
            let edge = (fx.min(1.0 - fx) * 2.0).min(fy.min(1.0 - fy));
            let own = value(x.floor() * 7.3 + 0.5, row * 3.1 + 0.5, 64, 4) * 0.35;
            let grain = fractal(u, v, 16, 3, 6) * 0.3;
            let brick = mix(face, [0.1, 0.08, 0.07], own + grain - 0.2);
            mix(joint, brick, step(0.03, 0.07, edge))
        })
    }

    /// A surface with soft variations of one colour: plaster, cloth, bark, leaves.
    pub fn mottled(&mut self, name: &str, color: u32, contrast: f32, rough: f32) -> Result<u32> {
        let base = rgb(color);
        self.textured(name, "surface.png", rough, move |u, v| {
            let n = fractal(u, v, 8, 4, u64::from(color)) - 0.5;
            base.map(|c| c * (1.0 + n * contrast * 2.0))
        })
    }
}
