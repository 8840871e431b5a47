//! Every chunk that the published format has: what becomes of it.

use super::lost::Loss;

/// What becomes of a chunk.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Treatment {
    /// Part of the scene, or what of it is not is told where it is read.
    Read,
    /// Told, under this name.
    Lost(Loss, &'static str),
    /// Nothing looks different without it.
    Silent,
}

use Treatment::{Lost, Read, Silent};

const fn map(title: &'static str) -> Treatment {
    Lost(Loss::Map, title)
}

const fn effect(title: &'static str) -> Treatment {
    Lost(Loss::Effect, title)
}

const fn air(title: &'static str) -> Treatment {
    Lost(Loss::Atmosphere, title)
}

/// Maps computed by plug-ins: their data beside that of the map.
const PLUG_IN: Treatment = Lost(Loss::Procedural, "程序贴图");

/// Chunks by number.
pub const CHUNKS: &[(u16, Treatment)] = &[
    // Version of the file, of its meshes and of its keys.
    (0x0002, Silent),
    (0x3d3e, Silent),
    (0xb00a, Silent),
    (0x4d4d, Read),
    (0x3d3d, Read),
    (0xb000, Read),
    (0x0100, Read),
    // Colours and percentages, in what they belong to.
    (0x0010, Read),
    (0x0011, Read),
    (0x0012, Read),
    (0x0013, Read),
    (0x0030, Read),
    (0x0031, Read),
    // What is behind the scene: data, and the switches that show it.
    (0x1100, Silent),
    (0x1101, air("背景图片")),
    (0x1200, Silent),
    // The plain colour that all files state; a web page has its own.
    (0x1201, Silent),
    (0x1300, Silent),
    (0x1301, air("渐变背景")),
    // Shadows and other settings of the renderer, and the cursor's plane.
    (0x1400, Silent),
    (0x1410, Silent),
    (0x1420, Silent),
    (0x1430, Silent),
    (0x1440, Silent),
    (0x1450, Silent),
    (0x1460, Silent),
    (0x1500, Silent),
    // Light from everywhere: the page's.
    (0x2100, Silent),
    (0x2200, Silent),
    (0x2201, air("雾")),
    (0x2210, Silent),
    (0x2300, Silent),
    (0x2301, air("距离雾")),
    (0x2302, Silent),
    (0x2303, air("分层雾")),
    (0x2310, Silent),
    // Views and windows of the editor.
    (0x3000, Silent),
    (0x3010, Silent),
    (0x3020, Silent),
    (0x3030, Silent),
    (0x3040, Silent),
    (0x3050, Silent),
    (0x3060, Silent),
    (0x3070, Silent),
    (0x3080, Silent),
    (0x3090, Silent),
    (0x7000, Silent),
    (0x7001, Silent),
    (0x7010, Silent),
    (0x7011, Silent),
    (0x7012, Silent),
    (0x7020, Silent),
    (0x7030, Silent),
    // Objects. Shown by the lofter, casting and receiving shadows, simplified or frozen in the editor, hidden from
    // pictures but for what they cover.
    (0x4000, Read),
    (0x4010, Read),
    (0x4011, Silent),
    (0x4012, Silent),
    (0x4013, Silent),
    (0x4014, Silent),
    (0x4015, Silent),
    (0x4016, Silent),
    (0x4017, Silent),
    // Meshes. Selected points, the editor's colour, how UVs were made.
    (0x4100, Read),
    (0x4110, Read),
    (0x4111, Silent),
    (0x4120, Read),
    (0x4130, Read),
    (0x4140, Read),
    (0x4150, Read),
    (0x4160, Read),
    (0x4165, Silent),
    (0x4170, Silent),
    (0x4181, Lost(Loss::Procedural, "程序物体")),
    (0x4182, Silent),
    (0x4190, map("六面盒贴图")),
    // Lights, with what is in them.
    (0x4600, Lost(Loss::Light, "灯光")),
    (0x4700, Read),
    (0x4710, Silent),
    (0x4720, Read),
    // Materials. Ambient and highlight colours, and strengths of highlights: colour and roughness stand for them.
    (0xafff, Read),
    (0xa000, Read),
    (0xa010, Silent),
    (0xa020, Read),
    (0xa030, Silent),
    (0xa040, Read),
    (0xa041, Silent),
    (0xa042, Silent),
    (0xa050, Read),
    (0xa052, Read),
    // Blur of reflections, which are told themselves.
    (0xa053, Silent),
    (0xa080, Read),
    (0xa081, Read),
    (0xa082, Silent),
    (0xa083, effect("叠加透明")),
    (0xa084, Read),
    (0xa085, effect("线框")),
    (0xa086, effect("逐面贴图")),
    // Width of the lines, the direction of falloff, soft highlights.
    (0xa087, Silent),
    (0xa088, Silent),
    (0xa08a, Silent),
    (0xa08c, Silent),
    (0xa08e, Silent),
    (0xa100, Read),
    (0xa200, Read),
    (0xa204, Read),
    (0xa210, Read),
    (0xa220, Read),
    (0xa230, Read),
    (0xa252, Read),
    (0xa310, map("自动反射")),
    (0xa320, PLUG_IN),
    (0xa321, PLUG_IN),
    (0xa322, PLUG_IN),
    (0xa324, PLUG_IN),
    (0xa325, PLUG_IN),
    (0xa326, PLUG_IN),
    (0xa328, PLUG_IN),
    (0xa32a, PLUG_IN),
    (0xa32c, PLUG_IN),
    (0xa32e, PLUG_IN),
    (0xa330, PLUG_IN),
    (0xa332, PLUG_IN),
    (0xa334, PLUG_IN),
    (0xa336, PLUG_IN),
    (0xa338, PLUG_IN),
    (0xa33a, Read),
    (0xa33c, Read),
    (0xa33d, Read),
    (0xa33e, Read),
    (0xa340, Read),
    (0xa342, Read),
    (0xa344, Read),
    (0xa346, Read),
    (0xa348, Read),
    (0xa34a, Read),
    (0xa34c, Read),
    // Maps. Blur is what filters do.
    (0xa300, Read),
    (0xa350, Silent),
    (0xa351, Read),
    (0xa352, Silent),
    (0xa353, Silent),
    (0xa354, Read),
    (0xa356, Read),
    (0xa358, Read),
    (0xa35a, Read),
    (0xa35c, Read),
    // Tints, which a flag turns on.
    (0xa360, Silent),
    (0xa362, Silent),
    (0xa364, Silent),
    (0xa366, Silent),
    (0xa368, Silent),
    // Keys: nodes of all kinds, and their tracks. Those of frames and current time are the editor's; boxes and
    // smoothing of morphs belong to keys, whose loss is told.
    (0xb001, Read),
    (0xb002, Read),
    (0xb003, Read),
    (0xb004, Read),
    (0xb005, Read),
    (0xb006, Read),
    (0xb007, Read),
    (0xb008, Silent),
    (0xb009, Silent),
    (0xb010, Read),
    (0xb011, Read),
    (0xb012, Silent),
    (0xb013, Read),
    (0xb014, Silent),
    (0xb015, Silent),
    (0xb020, Read),
    (0xb021, Read),
    (0xb022, Read),
    (0xb023, Read),
    (0xb024, Read),
    (0xb025, Read),
    (0xb026, Read),
    (0xb027, Read),
    (0xb028, Read),
    (0xb029, Read),
    (0xb030, Read),
    // Data of applications.
    (0xc010, Silent),
    (0xfff0, Silent),
];

/// What becomes of a chunk of this number; `None` if the format has none.
pub fn treatment(id: u16) -> Option<Treatment> {
    let found = CHUNKS.iter().find(|(known, _)| *known == id);
    found.map(|(_, treatment)| *treatment)
}
