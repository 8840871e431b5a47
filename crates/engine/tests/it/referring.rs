//! Models that refer to a texture, in every format that can, and archives with any bytes as names.

use crate::archive::crc32;
use modelkit::sample::osgb::{self, Dialect, Listing, Mesh, Piece, Sides, Skin};

/// An entry of an archive: its name as stored, whether it is stated to be UTF-8, and its content.
pub type Entry<'a> = (Vec<u8>, bool, Vec<u8>);

/// A stored ZIP archive.
pub fn zip(entries: &[Entry]) -> Vec<u8> {
    let (mut out, mut directory) = (Vec::new(), Vec::new());
    for (name, unicode, bytes) in entries {
        let flags = if *unicode { 1u16 << 11 } else { 0 };
        let size = (bytes.len() as u32).to_le_bytes();
        let mut common = Vec::new();
        for half in [20, flags, 0, 0, 0] {
            common.extend(half.to_le_bytes());
        }
        common.extend(crc32(bytes).to_le_bytes());
        common.extend([size, size].concat());
        common.extend((name.len() as u16).to_le_bytes());
        common.extend([0; 2]);
        directory.extend(b"PK\x01\x02\x14\x00");
        directory.extend(&common);
        directory.extend([0; 10]);
        directory.extend((out.len() as u32).to_le_bytes());
        directory.extend(name);
        out.extend(b"PK\x03\x04");
        out.extend(&common);
        out.extend(name);
        out.extend(bytes);
    }
    let start = out.len() as u32;
    out.extend(&directory);
    out.extend(b"PK\x05\x06\0\0\0\0");
    out.extend([(entries.len() as u16).to_le_bytes(); 2].concat());
    out.extend((directory.len() as u32).to_le_bytes());
    out.extend(start.to_le_bytes());
    out.extend([0; 2]);
    out
}

/// Files of a model whose texture is called `texture`; names in the files are those bytes.
pub fn model(format: &str, texture: &[u8]) -> Vec<Entry<'static>> {
    let file = |name: &str, parts: &[&[u8]]| (name.as_bytes().to_vec(), true, parts.concat());
    match format {
        "gltf" => vec![file("m.gltf", &[GLTF.0, texture, GLTF.1])],
        "obj" => vec![
            file("m.obj", &[OBJ]),
            file("m.mtl", &[b"newmtl m\nmap_Kd ", texture, b"\n"]),
        ],
        "ply" => vec![file("m.ply", &[PLY.0, texture, PLY.1])],
        "dae" => vec![file("m.dae", &[DAE.0, texture, DAE.1])],
        "fbx" => vec![file("m.fbx", &[FBX.0, texture, FBX.1])],
        "3ds" => vec![file("m.3ds", &[&three_ds(texture)])],
        "osgb" => vec![file("m.osgb", &[&with_skin(texture)])],
        _ => unreachable!(),
    }
}

pub const FORMATS: [&str; 7] = ["gltf", "obj", "ply", "dae", "fbx", "3ds", "osgb"];

const GLTF: (&[u8], &[u8]) = (
    br#"{"asset":{"version":"2.0"},"scene":0,"scenes":[{"nodes":[0]}],"nodes":[{"mesh":0}],
"meshes":[{"primitives":[{"attributes":{"POSITION":0,"TEXCOORD_0":1},"material":0}]}],
"materials":[{"pbrMetallicRoughness":{"baseColorTexture":{"index":0}}}],
"textures":[{"source":0}],"images":[{"uri":""#,
    br#""}],"accessors":[{"bufferView":0,"componentType":5126,"count":3,"type":"VEC3","min":[0,0,0],"max":[1,1,0]},
{"bufferView":1,"componentType":5126,"count":3,"type":"VEC2"}],
"bufferViews":[{"buffer":0,"byteLength":36},{"buffer":0,"byteOffset":36,"byteLength":24}],
"buffers":[{"byteLength":60,"uri":"data:;base64,AAAAAAAAAAAAAAAAAACAPwAAAAAAAAAAAAAAAAAAgD8AAAAAAAAAAAAAAAAAAIA/AAAAAAAAAAAAAIA/"}]}"#,
);
pub const OBJ: &[u8] =
    b"mtllib m.mtl\nv 0 0 0\nv 1 0 0\nv 0 1 0\nvt 0 0\nusemtl m\nf 1/1 2/1 3/1\n";
const PLY: (&[u8], &[u8]) = (
    b"ply\nformat ascii 1.0\ncomment TextureFile ",
    b"\nelement vertex 3\nproperty float x\nproperty float y\nproperty float z\nproperty float s\n\
property float t\nelement face 1\nproperty list uchar int vertex_index\nend_header\n\
0 0 0 0 0\n1 0 0 1 0\n0 1 0 0 1\n3 0 1 2\n",
);
const DAE: (&[u8], &[u8]) = (
    br##"<COLLADA xmlns="http://www.collada.org/2005/11/COLLADASchema" version="1.4.1">
<library_images><image id="img"><init_from>"##,
    br##"</init_from></image></library_images>
<library_materials><material id="m"><instance_effect url="#e"/></material></library_materials>
<library_effects><effect id="e"><profile_COMMON><technique sid="c"><phong>
<diffuse><texture texture="img" texcoord="UV0"/></diffuse></phong></technique></profile_COMMON></effect></library_effects>
<library_geometries><geometry id="g"><mesh>
<source id="p"><float_array id="pa" count="9">0 0 0 1 0 0 0 1 0</float_array>
<technique_common><accessor source="#pa" count="3" stride="3"/></technique_common></source>
<source id="t"><float_array id="ta" count="6">0 0 1 0 0 1</float_array>
<technique_common><accessor source="#ta" count="3" stride="2"/></technique_common></source>
<vertices id="v"><input semantic="POSITION" source="#p"/></vertices>
<triangles count="1" material="s"><input semantic="VERTEX" source="#v" offset="0"/>
<input semantic="TEXCOORD" source="#t" offset="0" set="0"/><p>0 1 2</p></triangles></mesh></geometry></library_geometries>
<library_visual_scenes><visual_scene id="vs"><node><instance_geometry url="#g"><bind_material><technique_common>
<instance_material symbol="s" target="#m"/></technique_common></bind_material></instance_geometry></node></visual_scene>
</library_visual_scenes><scene><instance_visual_scene url="#vs"/></scene></COLLADA>"##,
);
pub const FBX: (&[u8], &[u8]) = (
    br#"; FBX 7.4.0 project file
FBXHeaderExtension:  {
	FBXVersion: 7400
}
Objects:  {
	Geometry: 1, "Geometry::", "Mesh" {
		Vertices: *9 { a: 0,0,0,1,0,0,0,1,0 }
		PolygonVertexIndex: *3 { a: 0,1,-3 }
		LayerElementUV: 0 {
			MappingInformationType: "ByPolygonVertex"
			ReferenceInformationType: "Direct"
			UV: *6 { a: 0,0,1,0,0,1 }
		}
		Layer: 0 {
			LayerElement:  {
				Type: "LayerElementUV"
				TypedIndex: 0
			}
		}
	}
	Model: 2, "Model::part", "Mesh" {
	}
	Material: 3, "Material::m", "" {
	}
	Texture: 4, "Texture::t", "" {
		RelativeFilename: ""#,
    br#""
	}
}
Connections:  {
	C: "OO",2,0
	C: "OO",1,2
	C: "OO",3,2
	C: "OP",4,3, "DiffuseColor"
}
"#,
);

pub fn three_ds(texture: &[u8]) -> Vec<u8> {
    let chunk = |id: u16, parts: &[&[u8]]| {
        let body = parts.concat();
        let length = (body.len() as u32 + 6).to_le_bytes();
        [&id.to_le_bytes()[..], &length, &body].concat()
    };
    let floats =
        |values: &[f32]| -> Vec<u8> { values.iter().flat_map(|v| v.to_le_bytes()).collect() };
    let words =
        |values: &[u16]| -> Vec<u8> { values.iter().flat_map(|v| v.to_le_bytes()).collect() };
    let material = chunk(0x4130, &[b"m\0", &words(&[1, 0])]);
    let mesh = chunk(
        0x4100,
        &[
            &chunk(
                0x4110,
                &[&words(&[3]), &floats(&[0., 0., 0., 1., 0., 0., 0., 0., 1.])],
            ),
            &chunk(0x4140, &[&words(&[3]), &floats(&[0., 0., 1., 0., 0., 1.])]),
            &chunk(0x4120, &[&words(&[1, 0, 1, 2, 7]), &material]),
        ],
    );
    let map = chunk(0xa200, &[&chunk(0xa300, &[texture, b"\0"])]);
    let material = chunk(0xafff, &[&chunk(0xa000, &[b"m\0"]), &map]);
    let object = chunk(0x4000, &[b"part\0", &mesh]);
    let version = chunk(0x0002, &[&3u32.to_le_bytes()]);
    chunk(0x4d4d, &[&version, &chunk(0x3d3d, &[&material, &object])])
}

fn with_skin(texture: &[u8]) -> Vec<u8> {
    let stand_in = "@".repeat(texture.len());
    let piece = Piece {
        mesh: Mesh {
            positions: vec![[0.0; 3], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]],
            uvs: vec![[0.0; 2], [1.0, 0.0], [0.0, 1.0]],
            indices: vec![0, 1, 2],
            listing: Listing::Shorts,
            sides: Sides::default(),
            unit: 0,
            skin: Some(Skin::Named(stand_in.clone())),
        },
        finer: None,
    };
    let dialect = Dialect {
        version: 161,
        brackets: true,
        zlib: false,
    };
    let mut bytes = osgb::write(&[piece], None, dialect);
    while let Some(at) = bytes
        .windows(texture.len())
        .position(|w| w == stand_in.as_bytes())
    {
        bytes[at..at + texture.len()].copy_from_slice(texture);
    }
    bytes
}
