//! Documents that hold every element that is read.

pub fn document(body: &str) -> String {
    format!(r#"<COLLADA version="1.4.1">{body}</COLLADA>"#)
}

fn source(id: &str, array: &str, values: &str, stride: usize) -> String {
    let count = values.split_whitespace().count() / stride;
    format!(
        r##"<source id="{id}"><{array} id="{id}-a">{values}</{array}><technique_common>
        <accessor source="#{id}-a" count="{count}" stride="{stride}"/></technique_common></source>"##
    )
}

/// All groups of a mesh, below an element of this name.
fn mesh(tag: &str, id: &str) -> String {
    let points = "9 0 0 0  9 4 0 0  9 4 4 0  9 0 4 0  9 1 1 0  9 2 1 0  9 1 2 0";
    let wire = format!(r##"<input semantic="VERTEX" source="#{id}v" offset="0"/>"##);
    let uvs = source(&format!("{id}t"), "int_array", "0 0 1 0 1 1 0 1", 2);
    let groups: String = ["lines", "linestrips", "triangles", "trifans", "tristrips"]
        .map(|kind| {
            format!("<{kind}>{wire}<p>0 1 2</p></{kind}>").replace("<lines>", "<lines count=\"1\">")
        })
        .concat()
        .replace("<p>0 1 2</p></lines>", "<p>0 1</p></lines>");
    format!(
        r##"<{tag}><source id="{id}p"><float_array id="{id}pa">{points}</float_array><technique_common>
        <accessor source="#{id}pa" count="7" stride="4"><param type="float"/><param name="X" type="float"/>
        <param name="Y" type="float"/><param name="Z" type="float"/></accessor></technique_common></source>{uvs}
        <vertices id="{id}v"><input semantic="POSITION" source="#{id}p"/></vertices>{groups}
        <polylist material="m">{wire}<input semantic="TEXCOORD" source="#{id}t" offset="1"/><vcount>4</vcount>
        <p>0 0 1 1 2 2 3 3</p></polylist>
        <polygons>{wire}<p>0 1 2</p><ph><p>0 1 2 3</p><h>4 5 6</h></ph></polygons>
        <extra><technique profile="MAYA"><double_sided>1</double_sided></technique></extra></{tag}>"##
    )
}

pub fn geometries() -> String {
    let outside = mesh("mesh", "c").replace("double_sided", "other");
    document(&format!(
        r##"<asset><unit meter="2"/><up_axis>Z_UP</up_axis></asset>
        <library_materials><material id="m"><instance_effect url="#e"/></material></library_materials>
        <library_effects><effect id="e"><profile_COMMON><technique><lambert><diffuse><color>1 0 0 1</color></diffuse></lambert>
        </technique></profile_COMMON></effect></library_effects>
        <library_geometries><geometry id="a">{}</geometry><geometry id="b">{}</geometry>
        <geometry id="c">{outside}<extra><technique profile="MAYA"><double_sided>1</double_sided></technique></extra></geometry>
        </library_geometries>"##,
        mesh("mesh", "a"),
        mesh("convex_mesh", "b"),
    ))
}

/// Values of the slots of a shading model, as colours, parameters or pictures.
fn effect(model: &str, kind: &str) -> String {
    let [emission, diffuse, transparent] = match kind {
        "color" => [
            "<color>0.1 0.2 0.3</color>",
            "<color>1 0 0</color>",
            "<color>1 1 1 0.8</color>",
        ],
        "param" => [
            r#"<param ref="three"/>"#,
            r#"<param ref="four"/>"#,
            r#"<param ref="four"/>"#,
        ],
        _ => [
            r#"<texture texture="direct" texcoord="U"/>"#,
            r#"<texture texture="sam" texcoord="U"/>"#,
            r#"<texture texture="sam" texcoord="U"/>"#,
        ],
    };
    // The pictures have no alpha.
    let mode = match kind {
        "texture" => r#" opaque="RGB_ZERO""#,
        _ => "",
    };
    let number = match kind {
        "param" => r#"<param ref="one"/>"#,
        _ => "<float>0.5</float>",
    };
    let (surface, sampler, values) = match kind {
        "color" => ("", "", ""),
        "param" => (
            "",
            "",
            r#"<newparam sid="one"><float>0.25</float></newparam><newparam sid="three"><float3>0 1 0</float3></newparam>
            <newparam sid="four"><float4>0 0 1 0.75</float4></newparam>"#,
        ),
        _ => (
            r#"<newparam sid="surf"><surface type="2D"><init_from>img</init_from></surface></newparam>"#,
            r#"<newparam sid="sam"><sampler2D><source>surf</source><wrap_s>MIRROR</wrap_s><wrap_t>CLAMP</wrap_t>
            <magfilter>NEAREST</magfilter></sampler2D></newparam>"#,
            "",
        ),
    };
    let shininess = match model {
        "phong" | "blinn" => format!("<shininess>{number}</shininess>"),
        _ => String::new(),
    };
    format!(
        r#"<effect id="{model}-{kind}">{surface}<profile_COMMON>{sampler}<technique sid="t">{values}<{model}>
        <emission>{emission}</emission><diffuse>{diffuse}</diffuse><transparent{mode}>{transparent}</transparent>
        <transparency>{number}</transparency>{shininess}</{model}></technique></profile_COMMON></effect>"#
    )
}

pub fn materials() -> String {
    let mut effects = String::new();
    let mut materials = String::new();
    for model in ["constant", "lambert", "phong", "blinn"] {
        for kind in ["color", "param", "texture"] {
            effects += &effect(model, kind);
            materials += &format!(
                r##"<material id="m-{model}-{kind}"><instance_effect url="#{model}-{kind}"/></material>"##
            );
        }
    }
    let extra = r#"<extra><technique profile="GOOGLEEARTH"><double_sided>1</double_sided></technique></extra>"#;
    let image = |id: &str| format!(r#"<image id="{id}"><init_from>{id}.png</init_from></image>"#);
    document(&format!(
        r##"<library_images>{}{}<image id="five"><init_from><ref>five.png</ref></init_from></image>
        <image id="made"><create_2d><init_from><ref>made.png</ref></init_from></create_2d></image></library_images>
        <library_materials>{materials}
        <material id="set"><instance_effect url="#phong-param"><setparam ref="one"><float>0.125</float></setparam>
          <setparam ref="three"><float3>1 1 0</float3></setparam><setparam ref="four"><float4>1 0 1 0.5</float4></setparam>
        </instance_effect></material>
        <material id="set-picture"><instance_effect url="#phong-texture"><setparam ref="sam"><sampler2D><source>surf</source></sampler2D></setparam>
          <setparam ref="surf"><surface><init_from>five</init_from></surface></setparam></instance_effect></material>
        <material id="m-own"><instance_effect url="#own"/></material>
        <material id="m-both"><instance_effect url="#lambert-color"/>{extra}</material>
        <material id="m-sided"><instance_effect url="#sided"/></material><material id="m-below"><instance_effect url="#below"/></material>
        </library_materials>
        <library_effects>{effects}<effect id="own">{}<profile_COMMON>{}
        <newparam sid="i5"><sampler2D><instance_image url="#made"/></sampler2D></newparam><technique>{}<phong>
          <emission><texture texture="in-profile"/></emission><diffuse><texture texture="in-effect">
          <extra><technique profile="MAYA"><repeatU>2</repeatU></technique></extra></texture></diffuse>
          <transparent><texture texture="in-technique">
          <extra><technique profile="MAYA"><repeatU>2</repeatU></technique></extra></texture></transparent></phong>
        <extra><technique profile="FCOLLADA"><bump><texture texture="i5"/></bump></technique></extra></technique></profile_COMMON></effect>
        <effect id="sided"><profile_COMMON><technique><lambert/></technique></profile_COMMON>{extra}</effect>
        <effect id="below"><profile_COMMON><technique><lambert/></technique>{extra}</profile_COMMON></effect>
        </library_effects>
        <library_geometries><geometry id="g"><mesh>{}<vertices id="v"><input semantic="POSITION" source="#p"/></vertices>
        <triangles><input semantic="VERTEX" source="#v" offset="0"/><p>0 1 2</p></triangles></mesh></geometry></library_geometries>"##,
        image("img"),
        image("direct"),
        image("in-effect"),
        image("in-profile"),
        image("in-technique"),
        source("p", "float_array", "0 0 0 1 0 0 0 1 0", 3),
    ))
}

/// A skin, a skin of a morph, and what moves them. Joints of one name are in two skeletons.
pub fn controllers() -> String {
    let triangle = |id: &str, far: &str| {
        format!(
            r##"<geometry id="{id}"><mesh>{}<vertices id="{id}v"><input semantic="POSITION" source="#{id}p"/></vertices>
            <triangles material="red"><input semantic="VERTEX" source="#{id}v" offset="0"/><p>0 1 2</p></triangles></mesh></geometry>"##,
            source(&format!("{id}p"), "float_array", far, 3)
        )
    };
    let skin = |id: &str, of: &str, array: &str, names: &str| {
        format!(
            r##"<controller id="{id}"><skin source="#{of}"><bind_shape_matrix>1 0 0 0 0 1 0 0 0 0 1 3 0 0 0 1</bind_shape_matrix>
            {}{}{}<joints><input semantic="JOINT" source="#{id}j"/><input semantic="INV_BIND_MATRIX" source="#{id}b"/></joints>
            <vertex_weights><input semantic="JOINT" source="#{id}j" offset="0"/><input semantic="WEIGHT" source="#{id}w" offset="1"/>
            <vcount>1 1 2</vcount><v>0 0 1 0 0 1 1 0</v></vertex_weights></skin></controller>"##,
            source(&format!("{id}j"), array, names, 1),
            source(
                &format!("{id}b"),
                "float_array",
                &"2 0 0 0 0 2 0 0 0 0 2 0 0 0 0 1 ".repeat(2),
                16
            ),
            source(&format!("{id}w"), "float_array", "1 0.25", 1),
        )
    };
    let animation = |target: &str, id: &str, times: &str, values: &str| {
        format!(
            r##"<animation>{}{}<sampler id="{id}s"><input semantic="INPUT" source="#{id}i"/><input semantic="OUTPUT" source="#{id}o"/>
            </sampler><channel source="#{id}s" target="{target}"/></animation>"##,
            source(&format!("{id}i"), "float_array", times, 1),
            source(&format!("{id}o"), "float_array", values, 1),
        )
    };
    let bind = r##"<bind_material><technique_common><instance_material symbol="red" target="#m"/></technique_common></bind_material>"##;
    document(&format!(
        r##"<library_animations>{}<animation>{}</animation></library_animations>
        <library_materials><material id="m"><instance_effect url="#e"/></material></library_materials>
        <library_effects><effect id="e"><profile_COMMON><technique><lambert/></technique></profile_COMMON></effect></library_effects>
        <library_geometries>{}{}</library_geometries>
        <library_controllers>{}{}{}<controller id="mo"><morph source="#g">{}{}<targets><input semantic="MORPH_TARGET" source="#mt"/>
        <input semantic="MORPH_WEIGHT" source="#mw"/></targets></morph></controller></library_controllers>
        <library_visual_scenes><visual_scene id="s"><node id="L" sid="low"><node id="H" sid="high"/></node>
        <node id="L2" sid="low"><translate>5 0 0</translate><node id="H2" sid="high"/></node>
        <node id="x"><translate sid="t">0 0 0</translate><instance_controller url="#one"><skeleton>#L2</skeleton>{bind}</instance_controller></node>
        <node id="y"><instance_controller url="#two"/></node><node id="z"><instance_controller url="#three"/></node>
        <node id="w"><instance_controller url="#mo"/></node>
        </visual_scene></library_visual_scenes>"##,
        animation("x/t.X", "a1", "0 1", "0 3"),
        animation("mw(0)", "a2", "0 2", "0 1"),
        triangle("g", "0 0 0 1 0 0 0 1 0"),
        triangle("far", "0 0 0 1 0 0 0 5 0"),
        skin("one", "g", "Name_array", "low high"),
        skin("two", "mo", "IDREF_array", "L H"),
        skin("three", "g", "SIDREF_array", "L H"),
        source("mt", "IDREF_array", "far", 1),
        source("mw", "float_array", "0.5", 1),
    ))
}

pub fn nodes() -> String {
    let camera = |id: &str, lens: &str| {
        format!(
            r#"<camera id="{id}"><optics><technique_common>{lens}</technique_common></optics></camera>"#
        )
    };
    let bind = r##"<bind_material><technique_common><instance_material symbol="red" target="#m"><bind_vertex_input semantic="U" input_semantic="TEXCOORD" input_set="1"/>
        </instance_material></technique_common></bind_material>"##;
    document(&format!(
        r##"<library_cameras>{}{}{}{}</library_cameras>
        <library_images><image id="i"><init_from>i.png</init_from></image></library_images>
        <library_materials><material id="m"><instance_effect url="#e"/></material></library_materials>
        <library_effects><effect id="e"><profile_COMMON><technique><lambert><diffuse><texture texture="i" texcoord="U"/></diffuse></lambert>
        </technique></profile_COMMON></effect></library_effects>
        <library_geometries><geometry id="g"><mesh>{}{}{}<vertices id="v"><input semantic="POSITION" source="#p"/></vertices>
        <triangles material="red"><input semantic="VERTEX" source="#v" offset="0"/><input semantic="TEXCOORD" set="0" source="#t0" offset="1"/>
        <input semantic="TEXCOORD" set="1" source="#t1" offset="1"/><p>0 0 1 1 2 2</p></triangles></mesh></geometry></library_geometries>
        <library_nodes><node id="shared"><instance_geometry url="#g"/></node></library_nodes>
        <library_visual_scenes><visual_scene id="other"><node id="o"><instance_geometry url="#g"/></node></visual_scene>
        <visual_scene id="s"><node id="a"><lookat>1 2 3 0 0 0 0 1 0</lookat><node id="b"><matrix>1 0 0 1 0 1 0 2 0 0 1 3 0 0 0 1</matrix>
          <instance_geometry url="#g">{bind}</instance_geometry></node></node>
        <node id="c"><rotate>0 0 1 30</rotate><scale>1 2 3</scale><skew>30 1 0 0 0 1 0</skew><translate>1 2 3</translate>
          <instance_node url="#shared"/><instance_camera url="#k1"/><instance_camera url="#k2"/><instance_camera url="#k3"/>
          <instance_camera url="#k4"/></node>
        <node id="d"><instance_geometry url="#g"/><extra><technique profile="FCOLLADA"><visibility>0</visibility></technique></extra></node>
        </visual_scene></library_visual_scenes><scene><instance_visual_scene url="#s"/></scene>"##,
        camera(
            "k1",
            "<perspective><xfov>60</xfov><yfov>40</yfov><znear>0.5</znear><zfar>50</zfar></perspective>"
        ),
        camera(
            "k2",
            "<perspective><yfov>40</yfov><aspect_ratio>1.5</aspect_ratio></perspective>"
        ),
        camera(
            "k3",
            "<orthographic><xmag>3</xmag><ymag>2</ymag><znear>0.5</znear><zfar>50</zfar></orthographic>"
        ),
        camera(
            "k4",
            "<orthographic><xmag>3</xmag><aspect_ratio>2</aspect_ratio></orthographic>"
        ),
        source("p", "float_array", "0 0 0 1 0 0 0 1 0", 3),
        source("t0", "float_array", "0 0 1 0 0 1", 2),
        source("t1", "float_array", "0 0 2 0 0 2", 2),
    ))
}
