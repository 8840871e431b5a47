import { vi } from "vitest";

// Before anything of ours is loaded: a file finds stores, sessions and settings as a page that has just opened does.
vi.resetModules();
