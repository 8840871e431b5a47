//! The visual scene: nodes and their instances.

use super::geometry::bindings;
use super::lost::Loss;
use super::source::input_source;
use super::xml::{Xml, child, local, named, path, title};
use super::{Reading, camera, extra, placing, skin};
use crate::limits::Limits;
use crate::scene::{Mesh, Node};
use crate::{Ctx, Error, Result};

/// What is handed down the tree.
#[derive(Clone, Copy)]
struct Above {
    parent: Option<u32>,
    depth: usize,
    hidden: bool,
}

impl<'a> Reading<'a> {
    /// Builds the tree below `top`. Files without a scene show all their geometries.
    pub fn tree(&mut self, root: Xml<'a>, top: Option<u32>, ctx: &Ctx) -> Result<()> {
        let instance = path(root, &["scene", "instance_visual_scene"]);
        let stated = instance.and_then(|i| self.target(i, ""));
        let chosen = stated.or_else(|| path(root, &["library_visual_scenes", "visual_scene"]));
        let above = Above {
            parent: top,
            depth: 0,
            hidden: false,
        };
        if let Some(scene) = chosen {
            for node in named(scene, "node") {
                self.node(node, above, ctx)?;
            }
            self.note_offstage(root, scene);
        }
        if self.scene.meshes.is_empty() && self.skinned.is_empty() && !self.hid {
            let libraries = named(root, "library_geometries");
            for geometry in libraries.flat_map(|l| named(l, "geometry")) {
                if let Some(id) = geometry.attribute("id") {
                    self.place(id, geometry, top, title(geometry), ctx)?;
                }
            }
        }
        Ok(())
    }

    /// Tells of scenes that show something and are not shown.
    fn note_offstage(&mut self, root: Xml<'a>, shown: Xml<'a>) {
        let libraries = named(root, "library_visual_scenes");
        let scenes = libraries.flat_map(|l| named(l, "visual_scene"));
        for (i, scene) in scenes.enumerate().filter(|(_, scene)| *scene != shown) {
            let shows = |n: Xml| {
                let name = n.tag_name().name();
                matches!(
                    name,
                    "instance_geometry" | "instance_controller" | "instance_node"
                )
            };
            if scene.descendants().any(shows) {
                let place = ("场景", title(scene), i);
                let place = (place.0, place.1.as_str(), place.2);
                self.counts.losses.add(Loss::Offstage, place, "");
            }
        }
    }

    /// The element that an instance refers to; one in another file, or none, is told.
    fn target(&mut self, instance: Xml<'a>, node: &str) -> Option<Xml<'a>> {
        let url = instance.attribute("url")?;
        let place = ("节点", node, 0);
        let Some(id) = local(url) else {
            self.counts.losses.add(Loss::External, place, url);
            return None;
        };
        let found = self.ids.get(id).copied();
        if found.is_none() {
            self.counts.losses.add(Loss::Dangling, place, url);
        }
        found
    }

    fn node(&mut self, xml: Xml<'a>, above: Above, ctx: &Ctx) -> Result<()> {
        Limits::check("节点", self.scene.nodes.len(), ctx.limits.nodes)?;
        if above.depth > ctx.limits.depth {
            return Err(Error::TooLarge(
                "DAE 的节点层级过深或互相引用，请在建模软件中简化后重新导出".into(),
            ));
        }
        let matrix = placing::compose(&placing::steps(xml));
        let name = title(xml);
        let node = Node {
            name: name.clone(),
            transform: placing::transform(&matrix),
            ..Node::default()
        };
        let index = self.scene.add_node(node, above.parent);
        self.placed.entry(xml.id()).or_default().push(index);
        self.scene.has_skeleton |= xml.attribute("type") == Some("JOINT");
        let below = Above {
            parent: Some(index),
            depth: above.depth + 1,
            hidden: above.hidden || extra::is_hidden(xml),
        };
        for child in xml.children().filter(|c| c.is_element()) {
            match child.tag_name().name() {
                "node" => self.node(child, below, ctx)?,
                "instance_node" => {
                    let inner = self.target(child, &name);
                    if let Some(inner) = inner.filter(|n| n.tag_name().name() == "node") {
                        self.node(inner, below, ctx)?;
                    }
                }
                "instance_geometry" | "instance_controller" if below.hidden => {
                    self.hid = true;
                    let place = ("节点", name.as_str(), index as usize);
                    self.counts.losses.add(Loss::Hidden, place, "");
                }
                "instance_geometry" => {
                    let shown = self.target(child, &name);
                    if let Some(id) = shown.and_then(|shown| shown.attribute("id")) {
                        self.place(id, child, Some(index), String::new(), ctx)?;
                    }
                }
                "instance_controller" => {
                    if let Some(controller) = self.target(child, &name) {
                        self.controller(controller, child, index, ctx)?;
                    }
                }
                "instance_camera" => {
                    if let Some(camera) = self.target(child, &name) {
                        self.camera(camera, index);
                    }
                }
                _ => {}
            }
        }
        Ok(())
    }

    /// Shows a camera from a node, or from one below it if the node already has one.
    fn camera(&mut self, xml: Xml<'a>, node: u32) {
        let metres = self.scene.units.meters_per_unit;
        let Some(camera) = camera::read(xml, metres) else {
            let place = ("相机", title(xml));
            let place = (place.0, place.1.as_str(), 0);
            self.counts.losses.add(Loss::Camera, place, "");
            return;
        };
        self.scene.cameras.push(camera);
        let camera = Some(self.scene.cameras.len() as u32 - 1);
        match self.scene.nodes.get_mut(node as usize) {
            Some(free) if free.camera.is_none() => free.camera = camera,
            _ => {
                let own = Node {
                    name: title(xml),
                    camera,
                    ..Node::default()
                };
                self.scene.add_node(own, Some(node));
            }
        }
    }

    /// A skin is resolved when all joints are known.
    fn controller(
        &mut self,
        controller: Xml<'a>,
        instance: Xml<'a>,
        node: u32,
        ctx: &Ctx,
    ) -> Result<()> {
        let Some(chain) = self.chain(controller) else {
            self.note_shapeless(controller.attribute("id").unwrap_or(""));
            return Ok(());
        };
        if let Some(skin) = chain.skin {
            // A node has room for one mesh.
            let own = self.scene.nodes.get(node as usize);
            let taken = self.reserved.contains(&node) || own.is_some_and(|n| n.mesh.is_some());
            let node = match taken {
                true => self.scene.add_node(
                    Node {
                        name: title(controller),
                        ..Node::default()
                    },
                    Some(node),
                ),
                false => node,
            };
            self.reserved.insert(node);
            self.skinned.push(skin::Pending {
                chain,
                skin,
                instance,
                node,
            });
            return Ok(());
        }
        let Some(materials) = self.bound(chain.geometry, instance, ctx)? else {
            return Ok(());
        };
        let key = (controller.id(), materials);
        let mesh = match self.morphed.get(&key) {
            Some(known) => *known,
            None => {
                let mesh = self.shaped(chain.geometry, &key.1, chain.morph, ctx)?;
                let Some(mesh) = mesh else { return Ok(()) };
                let geometry = self.geometries.get(chain.geometry);
                let origin = geometry.map_or([0.0; 3], |g| g.origin);
                let mesh = self.add(mesh, origin, ctx)?;
                self.morphed.insert(key, mesh);
                mesh
            }
        };
        let node = self.show(mesh, Some(node), String::new());
        self.weighted(chain.morph, node);
        Ok(())
    }

    /// Remembers that the weights of a morph are a node's.
    pub fn weighted(&mut self, morph: Option<Xml<'a>>, node: u32) {
        let table = morph.and_then(|morph| child(morph, "targets"));
        let source = table.and_then(|table| input_source(&self.ids, table, "MORPH_WEIGHT"));
        if let Some(source) = source {
            self.weights.entry(source.id()).or_default().push(node);
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
        if let Some(mesh) = self.mesh(id, instance, ctx)? {
            self.show(mesh, node, name);
        }
        Ok(())
    }

    /// Shows a mesh on a node, or on a new one below it if it has a mesh or the new one is to have a name.
    fn show(&mut self, mesh: u32, node: Option<u32>, name: String) -> u32 {
        let free = node.and_then(|n| Some((n, self.scene.nodes.get_mut(n as usize)?)));
        let reserved = |index: u32| self.reserved.contains(&index);
        match free {
            Some((index, free)) if free.mesh.is_none() && name.is_empty() && !reserved(index) => {
                free.mesh = Some(mesh);
                index
            }
            _ => {
                let own = Node {
                    name,
                    mesh: Some(mesh),
                    ..Node::default()
                };
                self.scene.add_node(own, node)
            }
        }
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
        let Some(mesh) = self.shaped(id, &key.1, None, ctx)? else {
            return Ok(None);
        };
        let origin = self.geometries.get(id).map_or([0.0; 3], |g| g.origin);
        let index = self.add(mesh, origin, ctx)?;
        self.meshes.insert(key, index);
        Ok(Some(index))
    }

    /// Adds a mesh whose positions count from `origin`. Error: more meshes than allowed.
    pub fn add(&mut self, mesh: Mesh, origin: [f64; 3], ctx: &Ctx) -> Result<u32> {
        self.scene.meshes.push(mesh);
        Limits::check("网格", self.scene.meshes.len(), ctx.limits.meshes)?;
        let index = self.scene.meshes.len() as u32 - 1;
        if origin != [0.0; 3] {
            self.origins.insert(index, origin);
        }
        Ok(index)
    }

    /// Materials of a geometry's parts under an instance; `None`, and told, if there is nothing to show.
    pub fn bound(
        &mut self,
        id: &'a str,
        instance: Xml<'a>,
        ctx: &Ctx,
    ) -> Result<Option<Vec<Option<u32>>>> {
        let bindings = bindings(instance);
        self.geometry(id, ctx)?;
        let Some(geometry) = self.geometries.get(id).filter(|g| !g.parts.is_empty()) else {
            self.note_shapeless(id);
            return Ok(None);
        };
        let mut bound = Vec::with_capacity(geometry.parts.len());
        for part in &geometry.parts {
            let binding = bindings.get(part.symbol);
            // Without a binding the symbol itself is often the material's id.
            let target = binding.map_or(part.symbol, |binding| binding.material);
            let own = self.ids.get(target).and_then(|m| m.attribute("id"));
            let material = self.materials.get(own.unwrap_or(target)).copied();
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
