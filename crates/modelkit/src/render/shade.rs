//! What a point of a surface sends towards the eye: the materials of glTF in the light of the studio.

use super::facet::Spot;
use super::light::{self, STUDIO};
use super::material::Look;
use super::sent::Sent;
use super::vector::{self as v, V3};

/// A shaded point.
pub struct Surface {
    pub color: V3,
    pub normal: V3,
    pub smooth: V3,
    /// Towards the eye.
    pub view: V3,
    /// Of the light around.
    pub share: f32,
    /// Sine and cosine of the camera's yaw.
    pub turn: [f32; 2],
}

impl Surface {
    pub fn shade(&self, look: &Look, spot: &Spot, alpha: f32, spread: f32) -> Sent {
        let metal = spot.sample(&look.metal_texture);
        let metallic = (look.metallic * metal.map_or(1.0, |t| t[2])).clamp(0.0, 1.0);
        let rough = (look.roughness * metal.map_or(1.0, |t| t[1])).clamp(0.045, 1.0);
        let rough = (rough.powi(4) + spread).min(1.0).sqrt().sqrt();
        let occlusion = spot
            .sample(&look.occlusion_texture)
            .map_or(1.0, |t| 1.0 + look.occlusion.clamp(0.0, 1.0) * (t[0] - 1.0));
        let open = self.share * occlusion;
        let facing = v::dot(self.normal, self.view).clamp(0.02, 1.0);
        let specular = look.specular
            * spot
                .sample(&look.specular_texture)
                .map_or(1.0, |texel| texel[3]);
        let tone = spot.sample(&look.reflectance_texture).unwrap_or([1.0; 4]);
        let tone = [tone[0], tone[1], tone[2]];
        let dielectric = v::scale(v::mul(look.reflectance, tone), specular);
        let straight = v::mix(dielectric, self.color, metallic);
        let edge = specular + (1.0 - specular) * metallic;
        let (single, multiple) = reflected(straight, edge, rough, facing);
        let mirror = self.mirror(self.normal);
        let seen = STUDIO.glossy(v::turned(mirror, self.turn), rough);
        let around = STUDIO.diffuse(v::turned(self.normal, self.turn));
        let hidden = hidden(facing, open, rough);
        let most = v::add(single, multiple);
        let left = 1.0 - most[0].max(most[1]).max(most[2]);
        let glass = spot.factor(&look.transmission, 0) * (1.0 - metallic);
        let sheen = self.sheen(look, spot, around, open);
        let glow = self.glow(look, spot);
        // A thin clear object is fainter than its highlights.
        let shine = alpha.max(0.6 * (alpha * 8.0).min(1.0));
        let matte = (1.0 - metallic) * left * open * (1.0 - glass);
        let (mut out, mut through) = ([0.0; 3], [1.0 - alpha; 3]);
        for k in 0..3 {
            let gloss = single[k] * seen[k] * hidden + multiple[k] * around[k] * open;
            let from_within = self.color[k] * around[k] * matte + sheen[k] + glow[k];
            out[k] = from_within * alpha + gloss * shine;
            through[k] += alpha * self.color[k].min(1.0) * look.tint[k] * glass * left.max(0.0);
        }
        self.coat(look, spot, open, &mut out, &mut through);
        Sent {
            color: light::tone(out),
            through,
        }
    }

    fn mirror(&self, n: V3) -> V3 {
        v::sub(v::scale(n, 2.0 * v::dot(n, self.view)), self.view)
    }

    fn glow(&self, look: &Look, spot: &Spot) -> V3 {
        if look.glow == [0.0; 3] {
            return [0.0; 3];
        }
        let texel = spot.sample(&look.glow_texture).unwrap_or([1.0; 4]);
        [0, 1, 2].map(|k| look.glow[k] * texel[k])
    }

    /// KHR_materials_sheen, approximated: fibres that catch the light at the silhouette.
    fn sheen(&self, look: &Look, spot: &Spot, around: V3, open: f32) -> V3 {
        if look.sheen == [0.0; 3] {
            return [0.0; 3];
        }
        let texel = spot.sample(&look.sheen_texture).unwrap_or([1.0; 4]);
        let facing = v::dot(self.normal, self.view).clamp(0.0, 1.0);
        let width = 1.0 + 4.0 * (1.0 - look.sheen_roughness.clamp(0.0, 1.0));
        let rim = 0.08 + 0.5 * (1.0 - facing).powf(width);
        [0, 1, 2].map(|k| look.sheen[k] * texel[k] * around[k] * open * rim)
    }

    /// KHR_materials_clearcoat: a second, clear reflection on top.
    fn coat(&self, look: &Look, spot: &Spot, open: f32, out: &mut V3, through: &mut V3) {
        let coat = spot.factor(&look.coat, 0);
        if coat <= 0.0 {
            return;
        }
        let rough = spot.factor(&look.coat_roughness, 1).clamp(0.045, 1.0);
        let facing = v::dot(self.smooth, self.view).clamp(0.02, 1.0);
        let fresnel = coat * (0.04 + 0.96 * (1.0 - facing).powi(5));
        let seen = STUDIO.glossy(v::turned(self.mirror(self.smooth), self.turn), rough);
        let hidden = hidden(facing, open, rough);
        for k in 0..3 {
            out[k] = out[k] * (1.0 - fresnel) + seen[k] * fresnel * hidden;
            through[k] *= 1.0 - fresnel;
        }
    }
}

/// Roughness from which on specular light is hidden like diffuse light, within less than a step of a picture's colours.
const ROUGH: f32 = 0.65;

/// Specular occlusion from this share of diffuse light (Lagarde).
fn hidden(facing: f32, open: f32, rough: f32) -> f32 {
    if rough > ROUGH {
        return open;
    }
    let power = (-16.0 * rough - 1.0).exp2();
    ((facing + open).powf(power) - 1.0 + open).clamp(0.0, 1.0)
}

/// Single and multiple scattering of a rough mirror, as shares of the incoming light: Karis' fit of the split sum,
/// Fdez-Agüera's multiple scattering.
fn reflected(straight: V3, edge: f32, rough: f32, facing: f32) -> (V3, V3) {
    let r = [
        1.0 - rough,
        0.0425 - 0.0275 * rough,
        1.04 - 0.572 * rough,
        0.022 * rough - 0.04,
    ];
    let a = (r[0] * r[0]).min((-9.28 * facing).exp2()) * r[0] + r[1];
    let (scale, bias) = (-1.04 * a + r[2], 1.04 * a + r[3]);
    let single = straight.map(|f| f * scale + edge * bias);
    let lost = 1.0 - (scale + bias);
    let multiple = [0, 1, 2].map(|k| {
        let mean = straight[k] + (1.0 - straight[k]) / 21.0;
        let again = single[k] * mean / (1.0 - lost * mean);
        again * lost
    });
    (single, multiple)
}
