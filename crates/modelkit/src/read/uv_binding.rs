//! Materials of formats that name the UV set of a texture, or state the sides to draw, per mesh: one material per choice.

use crate::Result;
use crate::limits::Limits;
use crate::scene::{Material, Problem, Scene, Severity};
use std::collections::HashMap;

/// UV sets that are read of a mesh; what shows glTF on the web knows as many.
pub const MOST_UV_SETS: usize = 4;

/// Names of UV sets that the slots of a material ask for, in the order of [`Material::slots`].
pub type Names = [Option<String>; 5];

/// A material as one mesh shows it.
#[derive(PartialEq, Eq, Hash, Clone, Copy)]
struct Choice {
    material: u32,
    /// UV set of each slot.
    sets: [u32; 5],
    both_sides: bool,
}

#[derive(Default)]
pub struct UvBinding {
    names: HashMap<u32, Names>,
    made: HashMap<Choice, u32>,
    /// Materials as read: the first choice takes the material's own place, so that none stays unused.
    originals: HashMap<u32, Material>,
}

impl UvBinding {
    /// States which sets a material asks for.
    pub fn ask(&mut self, material: u32, names: Names) {
        if names.iter().any(Option::is_some) {
            self.names.insert(material, names);
        }
    }

    /// The material with its textures on the sets that `set_of` finds for their names, drawn on both sides if the mesh
    /// says so. Error: more materials than allowed.
    pub fn bound(
        &mut self,
        scene: &mut Scene,
        limits: &Limits,
        material: u32,
        both_sides: bool,
        set_of: impl Fn(&str) -> u32,
    ) -> Result<u32> {
        let Some(own) = scene.materials.get(material as usize) else {
            return Ok(material);
        };
        let mut sets = [0; 5];
        if let Some(names) = self.names.get(&material) {
            for (set, name) in sets.iter_mut().zip(names) {
                *set = name.as_deref().map_or(0, &set_of);
            }
        }
        let choice = Choice {
            material,
            sets,
            both_sides,
        };
        if let Some(known) = self.made.get(&choice) {
            return Ok(*known);
        }
        let first = !self.originals.contains_key(&material);
        let original = self.originals.entry(material);
        let mut made = original.or_insert_with(|| own.clone()).clone();
        made.double_sided |= both_sides;
        for (slot, set) in made.slots_mut().into_iter().zip(sets) {
            if let Some(slot) = slot {
                slot.uv_set = set;
            }
        }
        let index = if first {
            scene.materials[material as usize] = made;
            material
        } else {
            Limits::check("材质", scene.materials.len(), limits.materials)?;
            scene.materials.push(made);
            scene.materials.len() as u32 - 1
        };
        self.made.insert(choice, index);
        Ok(index)
    }
}

/// Tells of sets beyond [`MOST_UV_SETS`].
pub fn dropped(meshes: usize) -> Option<Problem> {
    (meshes > 0).then(|| {
        Problem::new(
            "uv-sets-skipped",
            Severity::Info,
            "",
            format!("有 {meshes} 个网格的 UV 多于 {MOST_UV_SETS} 套，其余未保留"),
            "如果贴图用到后面的 UV，请在建模软件中删去不用的 UV 后重新导出",
        )
    })
}
