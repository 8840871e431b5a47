/** A reporter of vitest: on SIGTERM after a timeout, it names the unfinished files. One of them hangs. */
export default class Unfinished {
  #open = new Set();

  onInit() {
    process.once("SIGTERM", () => {
      for (const name of this.#open) process.stdout.write(`Not ended: ${name}\n`);
      process.exit(143);
    });
  }

  onTestModuleQueued(module) {
    this.#open.add(module.relativeModuleId);
  }

  onTestModuleEnd(module) {
    this.#open.delete(module.relativeModuleId);
  }
}
