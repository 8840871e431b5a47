import { render, waitFor } from "@testing-library/react";
import { beforeEach, expect, it, vi } from "vitest";
import { later } from "@/lib/later";
import { turn } from "@/lib/turn";
import { idle } from "../engine/state";
import { Store } from "../engine/store";
import { dropEarly, loadEarly, makeEarly } from "./early";
import { loadViewer } from "./loadViewer";
import { useViewer } from "./useViewer";

// jsdom draws nothing: this records what a viewer would load and where it would draw
class Recorded {
  static readonly made: Recorded[] = [];
  readonly state = new Store(idle);
  readonly loads: string[] = [];
  readonly stage = { warmUp: async () => undefined };
  holder: HTMLElement | undefined;
  disposed = false;
  constructor() {
    Recorded.made.push(this);
  }
  attach(holder: HTMLElement) {
    this.holder = holder;
  }
  async load({ url, proxyUrl = "" }: { url: string; proxyUrl?: string }) {
    this.loads.push(`${url} ${proxyUrl}`);
  }
  dispose() {
    this.disposed = true;
  }
}
vi.mock("./loadViewer", () => ({ loadViewer: vi.fn(async () => ({ Viewer: Recorded })) }));

function Stage(sources: { url: string; proxyUrl?: string }) {
  const { holder } = useViewer(sources);
  return <div ref={holder} data-testid="holder" />;
}

beforeEach(() => {
  Recorded.made.length = 0;
});

// the first of these tests: what others leave undrawn would be waited for too
it("work that nobody waits for comes after the first picture", async () => {
  makeEarly();
  loadEarly({ url: "/full" });
  const done = vi.fn();
  const waiting = later().then(done);
  render(<Stage url="/full" />);
  await waitFor(() => expect(Recorded.made[0]?.holder).toBeDefined());
  Recorded.made[0]?.state.set({ shown: true });
  await turn();
  expect(done).not.toHaveBeenCalled();
  Recorded.made[0]?.state.set({ turnableIn: 1700 });
  await waiting;
  // nor is a viewer waited for that nobody will see
  makeEarly();
  dropEarly();
  await later();
});

it("the first stage takes the viewer made early with its model, the next one makes its own", async () => {
  makeEarly();
  makeEarly();
  loadEarly({ url: "/full", proxyUrl: "/copy" });
  loadEarly({ url: "/other" });
  const { getByTestId, unmount } = render(<Stage url="/full" proxyUrl="/copy" />);
  await waitFor(() => expect(Recorded.made[0]?.holder).toBe(getByTestId("holder")));
  expect(Recorded.made.map(({ loads }) => loads)).toEqual([["/full /copy"]]);
  unmount();
  expect(Recorded.made[0]?.disposed).toBe(true);
  render(<Stage url="/full" proxyUrl="/copy" />);
  await waitFor(() => expect(Recorded.made[1]?.loads).toEqual(["/full /copy"]));
});

it("a stage of another model loads its own in it", async () => {
  makeEarly();
  loadEarly({ url: "/old" });
  render(<Stage url="/new" />);
  await waitFor(() => expect(Recorded.made.map(({ loads }) => loads)).toEqual([["/old ", "/new "]]));
});

it("a viewer that no stage takes is disposed of, one that a stage has is not", async () => {
  makeEarly();
  loadEarly({ url: "/left" });
  dropEarly();
  await waitFor(() => expect(Recorded.made[0]?.disposed).toBe(true));
  makeEarly();
  render(<Stage url="/shown" />);
  await waitFor(() => expect(Recorded.made[1]?.loads).toEqual(["/shown "]));
  dropEarly();
  await waitFor(() => expect(Recorded.made[1]?.holder).toBeDefined());
  expect(Recorded.made[1]?.disposed).toBe(false);
});

it("a viewer that lost its picture meanwhile is not used, nor one that could not be made", async () => {
  makeEarly();
  await vi.waitFor(() => expect(Recorded.made).toHaveLength(1));
  Recorded.made[0]?.state.set({ phase: "failed", fault: "lost" });
  const first = render(<Stage url="/a" />);
  await waitFor(() => expect(Recorded.made[1]?.loads).toEqual(["/a "]));
  expect(Recorded.made[0]?.disposed).toBe(true);
  first.unmount();
  vi.mocked(loadViewer).mockRejectedValueOnce(new Error("offline"));
  makeEarly();
  render(<Stage url="/b" />);
  await waitFor(() => expect(Recorded.made[2]?.loads).toEqual(["/b "]));
});
