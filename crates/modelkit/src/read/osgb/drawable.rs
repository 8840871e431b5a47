//! Drawables: primitive sets and vertex arrays, as files before and after version 112
//! write them.

use super::array::{Array, Draw, OFF, OVERALL, Order, PER_SET, PER_VERTEX};
use super::classes::{Object, Parser};
use super::lost::Loss;
use super::model::{Geometry, UNITS};
use crate::Result;

/// Texture coordinates by unit.
type Uvs = [Option<Array>; UNITS];

/// Positions, normals, colours; the last of what is not used.
type Arrays = [Option<Array>; 4];

/// Arrays before the texture coordinates, with the place of each and its name if it is not read.
const SLOTS: [(usize, &str); 5] = [(0, ""), (1, ""), (2, ""), (3, "第二颜色"), (3, "雾坐标")];
const ATTRIBUTE: &str = "着色器属性";

impl Parser<'_> {
    /// `osg::Drawable` up to the derived class' fields: the state set, and whether it is drawn.
    fn drawable_base(&mut self) -> Result<(Option<usize>, bool)> {
        self.base()?;
        let version = self.s.version;
        let (mut state, mut shown) = (None, true);
        if version >= 154 {
            (state, shown) = self.node_base()?;
        }
        if version < 156
            && let Object::State(own) = self.maybe_object()?
        {
            state = Some(own);
        }
        if self.s.bool()? {
            self.s.open()?;
            self.s.doubles::<6>()?;
            self.s.close();
        }
        self.maybe_objects(2)?;
        self.s.take(3)?;
        if version < 156 {
            self.maybe_objects(4)?;
        }
        if version >= 142 {
            self.s.u32()?;
        }
        if version >= 145 {
            self.s.bool()?;
        }
        Ok((state, shown))
    }

    pub(super) fn geometry(&mut self) -> Result<Object> {
        let (state, shown) = self.drawable_base()?;
        let count = self.s.count(4)?;
        let mut draws = Vec::new();
        for _ in 0..count {
            draws.extend(self.primitive_set()?);
        }
        let (uvs, [positions, normals, colors, _]) = match self.s.version < 112 {
            true => self.array_data()?,
            false => self.array_objects()?,
        };
        let mut geometry = Geometry {
            state,
            ..Geometry::default()
        };
        if let Some(array) = positions {
            (geometry.origin, geometry.positions) = array.positions();
        }
        let n = geometry.positions.len();
        let one_each =
            |array: &Array| array.length() == n && matches!(array.binding, PER_VERTEX | -1);
        let for_all = |array: &Array| match array.binding {
            OVERALL => array.length() >= 1,
            PER_SET => array.length() == 1 && draws.len() == 1,
            _ => false,
        };
        let is_lost = |array: &Array| array.binding != OFF && array.length() > 0;
        match normals {
            Some(array) if one_each(&array) => geometry.normals = array.floats(true, 0.0),
            Some(array) if for_all(&array) => {
                geometry.normals = vec![array.floats::<3>(true, 0.0)[0]; n];
            }
            Some(array) if is_lost(&array) => self.lose(Loss::Normals, ""),
            _ => {}
        }
        for (to, array) in geometry.uvs.iter_mut().zip(uvs) {
            match array {
                Some(array) if array.length() == n => *to = array.floats(false, 0.0),
                Some(array) if is_lost(&array) => self.lose(Loss::Uvs, ""),
                _ => {}
            }
        }
        match colors {
            Some(array) if one_each(&array) => geometry.colors = array.floats(true, 1.0),
            Some(array) if for_all(&array) => {
                let color = array.floats::<4>(true, 1.0)[0];
                if color != [1.0; 4] {
                    geometry.colors = vec![color; n];
                }
            }
            Some(array) if is_lost(&array) => self.lose(Loss::Colors, ""),
            _ => {}
        }
        for draw in draws {
            if !self.draws[draw].add_to(&mut geometry, self.most_indices)? {
                self.lose(Loss::Draws, "");
            }
        }
        if !shown && !geometry.indices.is_empty() {
            self.lose(Loss::Hidden, "");
            geometry.indices.clear();
        }
        self.most_indices = self.most_indices.saturating_sub(geometry.indices.len());
        self.model.geometries.push(geometry);
        Ok(Object::Geometry(self.model.geometries.len() - 1))
    }

    fn primitive_set(&mut self) -> Result<Option<usize>> {
        if self.s.version >= 112 {
            return Ok(match self.object()? {
                Object::Draw(draw) => Some(draw),
                _ => None,
            });
        }
        let kind = self.s.u32()?;
        let mode = self.s.u32()?;
        if self.s.version > 96 {
            self.s.u32()?;
        }
        let order = Draw::body(&mut self.s, kind, true)?;
        Ok(Some(self.keep_draw(mode, order)))
    }

    fn keep_draw(&mut self, mode: u32, order: Order) -> usize {
        self.draws.push(Draw { mode, order });
        self.draws.len() - 1
    }

    pub(super) fn draw(&mut self, kind: u32) -> Result<Object> {
        self.base()?;
        self.buffer_base()?;
        self.s.i32()?;
        let mode = self.s.u32()?;
        let order = Draw::body(&mut self.s, kind, false)?;
        Ok(Object::Draw(self.keep_draw(mode, order)))
    }

    /// `osg::BufferData`, from version 147.
    pub fn buffer_base(&mut self) -> Result<()> {
        if self.s.version >= 147 {
            self.maybe_object()?;
        }
        Ok(())
    }

    pub(super) fn array_object(&mut self, class: &str) -> Result<Object> {
        self.base()?;
        self.buffer_base()?;
        let binding = self.s.i32()?;
        let normalize = self.s.bool()?;
        self.s.bool()?;
        let array = Array {
            binding,
            normalize,
            ..Array::of_class(&mut self.s, class)?
        };
        self.arrays.push(array);
        Ok(Object::Array(self.arrays.len() - 1))
    }

    /// Arrays stored as objects: UVs by unit; positions, normals, colours and others.
    fn array_objects(&mut self) -> Result<(Uvs, Arrays)> {
        let mut found = Arrays::default();
        // Positions, normals, colours, secondary colours, fog coordinates.
        for (slot, name) in SLOTS {
            if let Object::Array(array) = self.maybe_object()? {
                found[slot] = self.arrays.get(array).cloned();
                self.pass_over_array(name);
            }
        }
        let mut uvs = Uvs::default();
        for unit in 0..self.s.count(4)? {
            if let Object::Array(array) = self.object()?
                && let Some(place) = uvs.get_mut(unit)
            {
                *place = self.arrays.get(array).cloned();
            }
        }
        // Vertex attributes.
        for _ in 0..self.s.count(4)? {
            if let Object::Array(_) = self.object()? {
                self.pass_over_array(ATTRIBUTE);
            }
        }
        Ok((uvs, found))
    }

    /// The same for files before version 112.
    fn array_data(&mut self) -> Result<(Uvs, Arrays)> {
        let mut found = Arrays::default();
        for (slot, name) in SLOTS {
            if self.s.bool()? {
                found[slot] = self.bracketed_array()?;
                if found[slot].is_some() {
                    self.pass_over_array(name);
                }
            }
        }
        let mut uvs = Uvs::default();
        // Texture coordinates, then vertex attributes.
        for is_uv in [true, false] {
            if !self.s.bool()? {
                continue;
            }
            let count = self.s.count(4)?;
            self.s.open()?;
            for unit in 0..count {
                let array = self.bracketed_array()?;
                match uvs.get_mut(unit) {
                    Some(place) if is_uv => *place = array,
                    _ if !is_uv && array.is_some() => self.pass_over_array(ATTRIBUTE),
                    _ => {}
                }
            }
            self.s.close();
        }
        self.s.bool()?;
        Ok((uvs, found))
    }

    /// Counts an array that is not read.
    fn pass_over_array(&mut self, name: &str) {
        if !name.is_empty() {
            self.lose(Loss::Attribute, name);
        }
    }

    fn bracketed_array(&mut self) -> Result<Option<Array>> {
        self.s.open()?;
        let array = self.one_array()?;
        self.s.close();
        Ok(array)
    }

    fn one_array(&mut self) -> Result<Option<Array>> {
        let array = self.numbered_array()?;
        let indices = self.numbered_array()?;
        let binding = self.s.i32()?;
        let normalize = self.s.i32()? != 0;
        let Some(array) = array else {
            return Ok(None);
        };
        let mut array = match indices {
            Some(indices) => array.gathered(&indices)?,
            None => array,
        };
        (array.binding, array.normalize) = (binding, normalize);
        Ok(Some(array))
    }

    fn numbered_array(&mut self) -> Result<Option<Array>> {
        if !self.s.bool()? {
            return Ok(None);
        }
        let id = self.s.u32()?;
        if let Some(&known) = self.numbered.get(&id) {
            return Ok(self.arrays.get(known).cloned());
        }
        let kind = self.s.u32()?;
        let array = Array::of_kind(&mut self.s, kind)?;
        self.numbered.insert(id, self.arrays.len());
        self.arrays.push(array.clone());
        Ok(Some(array))
    }
}
