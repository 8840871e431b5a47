//! STEP files (AP214) written by hand: boxes of planes, colours, an assembly.

use std::collections::HashMap;

/// Millimetres, or inches.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Unit {
    Millimetre,
    Inch,
}

/// A STEP file being written. Names are written as passed: `\X2\…\X0\` or raw bytes are up to the caller.
pub struct Step {
    lines: Vec<Vec<u8>>,
    pub context: usize,
    product_context: usize,
    definition_context: usize,
    styled: Vec<usize>,
    /// Of each child of each assembly: its usage, and its representation in the assembly.
    pub placed: Vec<[usize; 2]>,
}

/// A product with its shape: a component of assemblies.
#[derive(Clone, Copy)]
pub struct Product {
    pub definition: usize,
    pub representation: usize,
    pub axis: usize,
    /// Its solid; 0 for an assembly.
    pub solid: usize,
}

type Corners = [[f64; 3]; 8];

/// Corners of each side, counter-clockwise seen from outside, then its normal and an axis within.
const SIDES: [([usize; 4], [i32; 3], [i32; 3]); 6] = [
    ([0, 2, 3, 1], [0, 0, -1], [1, 0, 0]),
    ([4, 5, 7, 6], [0, 0, 1], [1, 0, 0]),
    ([0, 1, 5, 4], [0, -1, 0], [1, 0, 0]),
    ([2, 6, 7, 3], [0, 1, 0], [1, 0, 0]),
    ([0, 4, 6, 2], [-1, 0, 0], [0, 1, 0]),
    ([1, 3, 7, 5], [1, 0, 0], [0, 1, 0]),
];

impl Step {
    pub fn new(unit: Unit) -> Step {
        let mut step = Step {
            lines: Vec::new(),
            context: 0,
            product_context: 0,
            definition_context: 0,
            styled: Vec::new(),
            placed: Vec::new(),
        };
        let application = step.add("APPLICATION_CONTEXT('automotive design')");
        step.add(format!(
            "APPLICATION_PROTOCOL_DEFINITION('international standard','automotive_design',2000,#{application})"
        ));
        step.product_context = step.add(format!("PRODUCT_CONTEXT('',#{application},'mechanical')"));
        step.definition_context = step.add(format!(
            "PRODUCT_DEFINITION_CONTEXT('part definition',#{application},'design')"
        ));
        let mut length = step.add("(LENGTH_UNIT() NAMED_UNIT(*) SI_UNIT(.MILLI.,.METRE.))");
        if unit == Unit::Inch {
            let measure = step.add(format!(
                "LENGTH_MEASURE_WITH_UNIT(LENGTH_MEASURE(25.4),#{length})"
            ));
            let dimensions = step.add("DIMENSIONAL_EXPONENTS(1.,0.,0.,0.,0.,0.,0.)");
            length = step.add(format!(
                "(CONVERSION_BASED_UNIT('INCH',#{measure}) LENGTH_UNIT() NAMED_UNIT(#{dimensions}))"
            ));
        }
        let angle = step.add("(NAMED_UNIT(*) PLANE_ANGLE_UNIT() SI_UNIT($,.RADIAN.))");
        let solid_angle = step.add("(NAMED_UNIT(*) SI_UNIT($,.STERADIAN.) SOLID_ANGLE_UNIT())");
        let uncertainty = step.add(format!(
            "UNCERTAINTY_MEASURE_WITH_UNIT(LENGTH_MEASURE(1.E-5),#{length},'distance_accuracy_value','')"
        ));
        step.context = step.add(format!(
            "(GEOMETRIC_REPRESENTATION_CONTEXT(3) GLOBAL_UNCERTAINTY_ASSIGNED_CONTEXT((#{uncertainty})) \
             GLOBAL_UNIT_ASSIGNED_CONTEXT((#{length},#{angle},#{solid_angle})) REPRESENTATION_CONTEXT('',''))"
        ));
        step
    }

    /// Adds an entity; returns its number.
    pub fn add(&mut self, text: impl AsRef<[u8]>) -> usize {
        let number = self.lines.len() + 1;
        let mut line = format!("#{number}=").into_bytes();
        line.extend_from_slice(text.as_ref());
        line.extend_from_slice(b";\n");
        self.lines.push(line);
        number
    }

    pub fn vector(&mut self, kind: &str, [x, y, z]: [f64; 3]) -> usize {
        self.add(format!("{kind}('',({x:?},{y:?},{z:?}))"))
    }

    pub fn axis(&mut self, origin: [f64; 3], z: [f64; 3], x: [f64; 3]) -> usize {
        let origin = self.vector("CARTESIAN_POINT", origin);
        let z = self.vector("DIRECTION", z);
        let x = self.vector("DIRECTION", x);
        self.add(format!("AXIS2_PLACEMENT_3D('',#{origin},#{z},#{x})"))
    }

    /// A product named `name`; returns its definition.
    pub fn product(&mut self, name: &[u8], representation: usize) -> usize {
        let quoted = [b"'", name, b"'"].concat();
        let end = format!(",'',(#{}))", self.product_context);
        let text = [b"PRODUCT(", &quoted[..], b",", &quoted, end.as_bytes()].concat();
        let product = self.add(text);
        let formation = self.add(format!("PRODUCT_DEFINITION_FORMATION('','',#{product})"));
        let context = self.definition_context;
        let definition = self.add(format!(
            "PRODUCT_DEFINITION('design','',#{formation},#{context})"
        ));
        let shape = self.add(format!("PRODUCT_DEFINITION_SHAPE('','',#{definition})"));
        self.add(format!(
            "SHAPE_DEFINITION_REPRESENTATION(#{shape},#{representation})"
        ));
        definition
    }

    /// A part: a box from the origin to `size`; returns it and its six faces.
    pub fn part(&mut self, name: &[u8], size: [f64; 3]) -> (Product, [usize; 6]) {
        self.part_at(name, size, [0.0; 3])
    }

    /// The same elsewhere.
    pub fn part_at(
        &mut self,
        name: &[u8],
        size: [f64; 3],
        from: [f64; 3],
    ) -> (Product, [usize; 6]) {
        let (solid, faces) = self.body(b"", size, from);
        let part = self.part_of(name, "ADVANCED_BREP_SHAPE_REPRESENTATION", &[solid]);
        (Product { solid, ..part }, faces)
    }

    /// A box and its faces, not yet in a part.
    pub fn body(&mut self, body: &[u8], size: [f64; 3], from: [f64; 3]) -> (usize, [usize; 6]) {
        let corners: Corners = std::array::from_fn(|i| {
            std::array::from_fn(|axis| from[axis] + size[axis] * (i >> axis & 1) as f64)
        });
        let vertices = corners.map(|corner| {
            let point = self.vector("CARTESIAN_POINT", corner);
            self.add(format!("VERTEX_POINT('',#{point})"))
        });
        let mut edges = HashMap::new();
        let faces = SIDES.map(|side| self.side(side, &corners, &vertices, &mut edges));
        let list = faces.map(|face| format!("#{face}")).join(",");
        let shell = self.add(format!("CLOSED_SHELL('',({list}))"));
        let solid = self.add(
            [
                b"MANIFOLD_SOLID_BREP('",
                body,
                format!("',#{shell})").as_bytes(),
            ]
            .concat(),
        );
        (solid, faces)
    }

    fn side(
        &mut self,
        (ring, normal, within): ([usize; 4], [i32; 3], [i32; 3]),
        corners: &Corners,
        vertices: &[usize; 8],
        edges: &mut HashMap<(usize, usize), usize>,
    ) -> usize {
        let mut oriented = Vec::new();
        for i in 0..4 {
            let (from, to) = (ring[i], ring[(i + 1) % 4]);
            let (low, high) = (from.min(to), from.max(to));
            let edge = match edges.get(&(low, high)) {
                Some(&edge) => edge,
                None => {
                    let edge =
                        self.edge(corners[low], corners[high], vertices[low], vertices[high]);
                    edges.insert((low, high), edge);
                    edge
                }
            };
            let along = if from == low { ".T." } else { ".F." };
            let oriented_edge = self.add(format!("ORIENTED_EDGE('',*,*,#{edge},{along})"));
            oriented.push(format!("#{oriented_edge}"));
        }
        let edge_loop = self.add(format!("EDGE_LOOP('',({}))", oriented.join(",")));
        let bound = self.add(format!("FACE_OUTER_BOUND('',#{edge_loop},.T.)"));
        let axis = self.axis(
            corners[ring[0]],
            normal.map(f64::from),
            within.map(f64::from),
        );
        let plane = self.add(format!("PLANE('',#{axis})"));
        self.add(format!("ADVANCED_FACE('',(#{bound}),#{plane},.T.)"))
    }

    fn edge(&mut self, from: [f64; 3], to: [f64; 3], first: usize, last: usize) -> usize {
        let along: [f64; 3] = std::array::from_fn(|axis| to[axis] - from[axis]);
        let length = along.iter().map(|v| v * v).sum::<f64>().sqrt();
        let point = self.vector("CARTESIAN_POINT", from);
        let direction = self.vector("DIRECTION", along.map(|v| v / length));
        let vector = self.add(format!("VECTOR('',#{direction},{length:?})"));
        let line = self.add(format!("LINE('',#{point},#{vector})"));
        self.add(format!("EDGE_CURVE('',#{first},#{last},#{line},.T.)"))
    }

    /// A style that fills surfaces, and the assignment of it.
    fn style(&mut self, [r, g, b]: [f64; 3]) -> [usize; 2] {
        let colour = self.add(format!("COLOUR_RGB('',{r:?},{g:?},{b:?})"));
        let fill = self.add(format!("FILL_AREA_STYLE_COLOUR('',#{colour})"));
        let area = self.add(format!("FILL_AREA_STYLE('',(#{fill}))"));
        let surface = self.add(format!("SURFACE_STYLE_FILL_AREA(#{area})"));
        let side = self.add(format!("SURFACE_SIDE_STYLE('',(#{surface}))"));
        let usage = self.add(format!("SURFACE_STYLE_USAGE(.BOTH.,#{side})"));
        let style = self.add(format!("PRESENTATION_STYLE_ASSIGNMENT((#{usage}))"));
        [usage, style]
    }

    /// Paints a solid or a face; returns the styled item.
    pub fn paint(&mut self, what: usize, colour: [f64; 3]) -> usize {
        let [_, style] = self.style(colour);
        let styled = self.add(format!("STYLED_ITEM('color',(#{style}),#{what})"));
        self.styled.push(styled);
        styled
    }

    /// Paints it in one instance: below these representations, from the outermost.
    pub fn paint_in(&mut self, context: &[usize], what: usize, base: usize, colour: [f64; 3]) {
        let [_, style] = self.style(colour);
        let context = context.iter().map(|number| format!("#{number}"));
        let context = context.collect::<Vec<_>>().join(",");
        let styled = self.add(format!(
            "CONTEXT_DEPENDENT_OVER_RIDING_STYLED_ITEM('',(#{style}),#{what},#{base},({context}))"
        ));
        self.styled.push(styled);
    }

    /// The same as a style that depends on the context.
    pub fn style_in(&mut self, context: usize, what: usize, colour: [f64; 3]) {
        let [usage, _] = self.style(colour);
        let style = self.add(format!(
            "PRESENTATION_STYLE_BY_CONTEXT((#{usage}),#{context})"
        ));
        let styled = self.add(format!("STYLED_ITEM('',(#{style}),#{what})"));
        self.styled.push(styled);
    }

    /// Hides what was painted last.
    pub fn hide_last(&mut self) {
        let last = self.styled[self.styled.len() - 1];
        self.add(format!("INVISIBILITY((#{last}))"));
    }

    /// A part with these items.
    pub fn part_of(&mut self, name: &[u8], kind: &str, items: &[usize]) -> Product {
        let axis = self.axis([0.0; 3], [0.0, 0.0, 1.0], [1.0, 0.0, 0.0]);
        let items: String = items.iter().map(|item| format!(",#{item}")).collect();
        let context = self.context;
        let representation = self.add(format!("{kind}('',(#{axis}{items}),#{context})"));
        let definition = self.product(name, representation);
        Product {
            definition,
            representation,
            axis,
            solid: 0,
        }
    }

    /// An assembly of `children`: instance name, part, and position.
    pub fn assembly(&mut self, name: &[u8], children: &[(&str, Product, [f64; 3])]) -> Product {
        let axis = self.axis([0.0; 3], [0.0, 0.0, 1.0], [1.0, 0.0, 0.0]);
        let places: Vec<usize> = children
            .iter()
            .map(|(_, _, place)| self.axis(*place, [0.0, 0.0, 1.0], [1.0, 0.0, 0.0]))
            .collect();
        let items: Vec<String> = std::iter::once(axis)
            .chain(places.iter().copied())
            .map(|item| format!("#{item}"))
            .collect();
        let context = self.context;
        let representation = self.add(format!(
            "SHAPE_REPRESENTATION('',({}),#{context})",
            items.join(",")
        ));
        let definition = self.product(name, representation);
        for (i, ((instance, child, _), place)) in children.iter().zip(places).enumerate() {
            let (id, part) = (i + 1, child.definition);
            let usage = self.add(format!(
                "NEXT_ASSEMBLY_USAGE_OCCURRENCE('{id}','{instance}','',#{definition},#{part},$)"
            ));
            let shape = self.add(format!("PRODUCT_DEFINITION_SHAPE('','',#{usage})"));
            let from = child.axis;
            let placed = self.add(format!(
                "ITEM_DEFINED_TRANSFORMATION('','',#{from},#{place})"
            ));
            let inner = child.representation;
            let related = self.add(format!(
                "(REPRESENTATION_RELATIONSHIP('','',#{inner},#{representation}) \
                 REPRESENTATION_RELATIONSHIP_WITH_TRANSFORMATION(#{placed}) SHAPE_REPRESENTATION_RELATIONSHIP())"
            ));
            let context = self.add(format!(
                "CONTEXT_DEPENDENT_SHAPE_REPRESENTATION(#{related},#{shape})"
            ));
            self.placed.push([usage, context]);
        }
        Product {
            definition,
            representation,
            axis,
            solid: 0,
        }
    }

    pub fn finish(mut self) -> Vec<u8> {
        if !self.styled.is_empty() {
            let list: Vec<String> = self.styled.iter().map(|s| format!("#{s}")).collect();
            let context = self.context;
            self.add(format!(
                "MECHANICAL_DESIGN_GEOMETRIC_PRESENTATION_REPRESENTATION('',({}),#{context})",
                list.join(",")
            ));
        }
        let mut out = b"ISO-10303-21;\nHEADER;\nFILE_DESCRIPTION((''),'2;1');\n\
            FILE_NAME('','',(''),(''),'','','');\nFILE_SCHEMA(('AUTOMOTIVE_DESIGN'));\nENDSEC;\nDATA;\n"
            .to_vec();
        out.extend(self.lines.concat());
        out.extend_from_slice(b"ENDSEC;\nEND-ISO-10303-21;\n");
        out
    }
}
