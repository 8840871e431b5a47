//! Traversal of the node tree.

use super::math::{self, IDENTITY, Mat4};
use super::{Node, Scene};

impl Scene {
    /// World matrix of every node, by node index. Unreachable nodes (readers leave none) keep the identity.
    pub fn world_matrices(&self) -> Vec<Mat4> {
        world_of(&self.roots, &self.nodes)
    }

    /// Node indices from the roots down, parents before children.
    pub fn walk(&self) -> Vec<u32> {
        let mut order = Vec::with_capacity(self.nodes.len());
        let mut seen = vec![false; self.nodes.len()];
        let mut stack: Vec<u32> = self.roots.iter().rev().copied().collect();
        while let Some(index) = stack.pop() {
            let Some(node) = self.nodes.get(index as usize) else {
                continue;
            };
            if std::mem::replace(&mut seen[index as usize], true) {
                continue;
            }
            order.push(index);
            stack.extend(node.children.iter().rev());
        }
        order
    }
}

/// World matrix of every node below `roots`; identity for the others.
pub(super) fn world_of(roots: &[u32], nodes: &[Node]) -> Vec<Mat4> {
    let mut world = vec![IDENTITY; nodes.len()];
    let mut seen = vec![false; nodes.len()];
    let mut stack: Vec<(u32, Mat4)> = roots.iter().map(|&r| (r, IDENTITY)).collect();
    while let Some((index, parent)) = stack.pop() {
        let at = index as usize;
        let Some(node) = nodes.get(at) else {
            continue;
        };
        if std::mem::replace(&mut seen[at], true) {
            continue;
        }
        world[at] = math::mul(&parent, &node.transform.matrix());
        for &child in &node.children {
            stack.push((child, world[at]));
        }
    }
    world
}
