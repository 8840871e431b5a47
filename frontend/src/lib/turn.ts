/**
 * Ends the current task, so that the browser handles input and draws before the rest runs. By a message, because timers of
 * hidden tabs wait for up to a minute.
 */
export const turn = (): Promise<void> =>
  new Promise((resolve) => {
    const { port1, port2 } = new MessageChannel();
    port1.onmessage = () => {
      port1.close();
      resolve();
    };
    port2.postMessage(undefined);
  });
