import { createRoot } from "react-dom/client";
import { RouterProvider } from "react-router";
import { bindDispatch } from "./api/run";
import { Providers } from "./Providers";
import { createConsoleRouter } from "./router";
import { resume } from "./session/calls";
import { createConsoleStore } from "./store";

const container = document.getElementById("root");
if (container) {
  const store = createConsoleStore();
  bindDispatch(store.dispatch);
  void store.dispatch(resume());
  createRoot(container).render(
    <Providers store={store}>
      <RouterProvider router={createConsoleRouter()} />
    </Providers>,
  );
}
