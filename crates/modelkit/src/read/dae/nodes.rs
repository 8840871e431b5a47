//! The visual scene: nodes and their instances.

use super::geometry::bindings;
use super::xml::{Xml, local, named, path, title};
use super::{Reading, placing, skin};
use crate::limits::Limits;
use crate::scene::{Mesh, Node, Primitive};
use crate::{Ctx, Error, Result};

impl<'a> Reading<'a> {
    /// Builds the tree below `top`. Files without a scene show all their geometries.
    pub fn tree(&mut self, root: Xml<'a>, top: Option<u32>, ctx: &Ctx) -> Result<()> {
        let instance = path(root, &["scene", "instance_visual_scene"]);
        let chosen = instance
            .and_then(|i| local(i.attribute("url")?))
            .and_then(|id| self.ids.get(id).copied())
            .or_else(|| path(root, &["library_visual_scenes", "visual_scene"]));
        if let Some(scene) = chosen {
            for node in named(scene, "node") {
                self.node(node, top, 0, ctx)?;
            }
        }
        if self.scene.meshes.is_empty() && self.skinned.is_empty() {
            let library = super::xml::child(root, "library_geometries");
            for geometry in library.into_iter().flat_map(|l| named(l, "geometry")) {
                if let Some(id) = geometry.attribute("id") {
                    self.place(id, geometry, top, title(geometry), ctx)?;
                }
            }
        }
        Ok(())
    }

    fn node(&mut self, xml: Xml<'a>, parent: Option<u32>, depth: usize, ctx: &Ctx) -> Result<()> {
        Limits::check("节点", self.scene.nodes.len(), ctx.limits.nodes)?;
        if depth > ctx.limits.depth {
            return Err(Error::TooLarge(
                "DAE 的节点层级过深或互相引用，请在建模软件中简化后重新导出".into(),
            ));
        }
        let matrix = placing::compose(&placing::steps(xml));
        let node = Node {
            name: title(xml),
            transform: placing::transform(&matrix),
            ..Node::default()
        };
        let index = self.scene.add_node(node, parent);
        self.placed.entry(xml.id()).or_default().push(index);
        self.scene.has_skeleton |= xml.attribute("type") == Some("JOINT");
        for child in xml.children().filter(|c| c.is_element()) {
            let target = || child.attribute("url").and_then(local);
            match child.tag_name().name() {
                "node" => self.node(child, Some(index), depth + 1, ctx)?,
                "instance_node" => {
                    let inner = target().and_then(|id| self.ids.get(id).copied());
                    if let Some(inner) = inner.filter(|n| n.tag_name().name() == "node") {
                        self.node(inner, Some(index), depth + 1, ctx)?;
                    }
                }
                "instance_geometry" => {
                    if let Some(id) = target() {
                        self.place(id, child, Some(index), String::new(), ctx)?;
                    }
                }
                "instance_controller" => {
                    if let Some(controller) = target().and_then(|id| self.ids.get(id).copied()) {
                        self.controller(controller, child, index, ctx)?;
                    }
                }
                _ => {}
            }
        }
        Ok(())
    }

    /// A skin is resolved when all joints are known; a morph shows its base.
    fn controller(
        &mut self,
        controller: Xml<'a>,
        instance: Xml<'a>,
        node: u32,
        ctx: &Ctx,
    ) -> Result<()> {
        if let Some(skin) = super::xml::child(controller, "skin") {
            self.skinned.push(skin::Pending {
                skin,
                instance,
                node,
            });
            return Ok(());
        }
        let base = super::xml::child(controller, "morph").and_then(|m| m.attribute("source"));
        match base.and_then(local) {
            Some(id) => self.place(id, instance, Some(node), String::new(), ctx),
            None => Ok(()),
        }
    }

    /// Puts a geometry on a node, or below it if the node already has one.
    fn place(
        &mut self,
        id: &'a str,
        instance: Xml<'a>,
        node: Option<u32>,
        name: String,
        ctx: &Ctx,
    ) -> Result<()> {
        let Some(mesh) = self.mesh(id, instance, ctx)? else {
            return Ok(());
        };
        let free = node.and_then(|n| self.scene.nodes.get_mut(n as usize));
        match free.filter(|n| n.mesh.is_none() && name.is_empty()) {
            Some(node) => node.mesh = Some(mesh),
            None => {
                let own = Node {
                    name,
                    mesh: Some(mesh),
                    ..Node::default()
                };
                self.scene.add_node(own, node);
            }
        }
        Ok(())
    }

    /// The mesh of a geometry with the materials this instance binds.
    fn mesh(&mut self, id: &'a str, instance: Xml<'a>, ctx: &Ctx) -> Result<Option<u32>> {
        let Some(materials) = self.bound(id, instance, ctx)? else {
            return Ok(None);
        };
        let key = (id, materials);
        if let Some(known) = self.meshes.get(&key) {
            return Ok(Some(*known));
        }
        let Some(geometry) = self.geometries.get(id) else {
            return Ok(None);
        };
        let parts = geometry.parts.iter().zip(&key.1);
        let primitives: Vec<Primitive> = parts
            .map(|(part, material)| Primitive {
                material: *material,
                ..part.primitive.clone()
            })
            .collect();
        self.scene.meshes.push(Mesh {
            name: geometry.name.clone(),
            primitives,
            ..Mesh::default()
        });
        let index = self.scene.meshes.len() as u32 - 1;
        Limits::check("网格", self.scene.meshes.len(), ctx.limits.meshes)?;
        if geometry.origin != [0.0; 3] {
            self.origins.insert(index, geometry.origin);
        }
        self.meshes.insert(key, index);
        Ok(Some(index))
    }

    /// Materials of a geometry's parts under an instance; `None` if there is nothing to show.
    pub fn bound(
        &mut self,
        id: &'a str,
        instance: Xml<'a>,
        ctx: &Ctx,
    ) -> Result<Option<Vec<Option<u32>>>> {
        let bindings = bindings(instance);
        if self.geometry(id, ctx)?.is_none() {
            return Ok(None);
        }
        let Some(geometry) = self.geometries.get(id).filter(|g| !g.parts.is_empty()) else {
            return Ok(None);
        };
        let mut bound = Vec::with_capacity(geometry.parts.len());
        for part in &geometry.parts {
            let binding = bindings.get(part.symbol);
            // Without a binding the symbol itself is often the material's id.
            let target = binding.map_or(part.symbol, |binding| binding.material);
            let material = self.materials.get(target).copied();
            let set_of = |name: &str| part.set_of(name, binding);
            let material = material.map(|material| {
                self.uv_binding.bound(
                    &mut self.scene,
                    &ctx.limits,
                    material,
                    geometry.both_sides,
                    set_of,
                )
            });
            bound.push(material.transpose()?);
        }
        Ok(Some(bound))
    }
}
