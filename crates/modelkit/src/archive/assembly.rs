//! Which of several STEP files in an archive is the assembly that leaves parts to the others.

use super::package::Package;
use crate::read::names::{Index, Reach};
use crate::read::{Format, cad, extension};
use std::collections::{BTreeMap, BTreeSet};

/// With more files, or bytes of them, it is not searched for: parts of an assembly are seldom that many.
const MOST_FILES: usize = 512;
const MOST_BYTES: u64 = 1 << 30;

/// Puts the assembly first, and leaves out the files that it refers to, if the first of `models` is STEP.
pub fn first(package: &mut Package, models: Vec<usize>) -> Vec<usize> {
    let is_step = |&i: &usize| {
        let format = package.entries().get(i).map(|entry| &entry.path);
        format.is_some_and(|path| Format::of_extension(&extension(path)) == Some(Format::Step))
    };
    let steps: Vec<usize> = models.iter().copied().filter(is_step).collect();
    let bytes: u64 = steps.iter().map(|&i| package.entries()[i].size).sum();
    let searched = (2..=MOST_FILES).contains(&steps.len()) && bytes <= MOST_BYTES;
    if !searched || models.first() != steps.first() {
        return models;
    }
    // What is looked at here is unpacked once more when it is read, and counted then.
    let allowance = package.allowance.clone();
    let refers = references(package, &steps);
    package.allowance = allowance;
    let referred: BTreeSet<usize> = refers.values().flatten().copied().collect();
    let heads = |i: &usize| !referred.contains(i) && !refers[i].is_empty();
    let Some(main) = steps.into_iter().find(heads) else {
        return models;
    };
    let mut below = BTreeSet::new();
    let mut next = vec![main];
    while let Some(file) = next.pop() {
        next.extend(refers[&file].iter().filter(|part| below.insert(**part)));
    }
    let others = models.into_iter();
    let others = others.filter(|i| *i != main && !below.contains(i));
    std::iter::once(main).chain(others).collect()
}

/// The other files that each refers to.
fn references(package: &mut Package, files: &[usize]) -> BTreeMap<usize, Vec<usize>> {
    let paths: Vec<String> = files
        .iter()
        .map(|&i| package.entries()[i].path.clone())
        .collect();
    let index = Index::new(paths.iter().map(String::as_str));
    let mut all = BTreeMap::new();
    for (&file, path) in files.iter().zip(&paths) {
        let folder = path.rsplit_once('/').map_or("", |(folder, _)| folder);
        let names = cad::referred(package.read(file).unwrap_or_default());
        let found = names
            .iter()
            .filter_map(|name| Some(files[index.find(folder, name, Reach::Anywhere)?]))
            .filter(|part| *part != file)
            .collect();
        all.insert(file, found);
    }
    all
}
