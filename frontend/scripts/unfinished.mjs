/** A reporter of vitest: told to end because time is over, it names the files that have not ended. One of them hangs. */
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
