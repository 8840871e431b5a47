export { type Fact, FactGrid } from "./FactGrid";
export { type Clause, Legal } from "./Legal";
export { ProductHero } from "./ProductHero";
export { Section } from "./Section";
