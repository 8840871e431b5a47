import { vi } from "vitest";

// Before any of our modules is loaded: a test file starts with the stores, sessions and settings of a newly opened page.
vi.resetModules();
