import { render, screen } from "@testing-library/react";
import { MemoryRouter } from "react-router";
import { expect, it, vi } from "vitest";
import { Providers } from "@/app/Providers";
import { startStore } from "@/test/render";
import { MB } from "@/transfer/rules";
import { CheckView } from "./CheckView";
import { applyMessages, type CheckLog, type CheckMessage, emptyLog } from "./log";

const message = (seq: number, status: CheckMessage["status"], more: Partial<CheckMessage> = {}) => ({
  seq,
  status,
  tips: "",
  currentTime: 1_700_000_000_000,
  ...more,
});

function show(first: CheckLog, modelType: "object" | "scene" = "object") {
  const store = startStore();
  const page = (log: CheckLog) => (
    <Providers store={store}>
      <MemoryRouter>
        <CheckView
          log={log}
          offline={false}
          fileSize={1}
          modelType={modelType}
          lightweightPath="/workbench/service?serviceName=lightweight&fileId=77"
          onFormats={() => undefined}
          appealHref="/helpCenter?id=appeal"
          serviceHref="/applicationCenter/aboutUs#contactUs"
        />
      </MemoryRouter>
    </Providers>
  );
  const { rerender } = render(page(first));
  return (log: CheckLog) => rerender(page(log));
}

const success = (fileSize: number) => applyMessages(emptyLog, [message(1, "Success", { fileSize })]);
const lightweight = () => screen.queryByRole("link", { name: "前往轻量化服务" });

it("leads to the lightweight service from 100 MB on (CK005)", () => {
  const update = show(success(99 * MB));
  expect(screen.getByText("体检完成")).toBeInTheDocument();
  expect(lightweight()).not.toBeInTheDocument();
  update(success(100 * MB));
  expect(lightweight()).toHaveAttribute("href", "/workbench/service?serviceName=lightweight&fileId=77");
});

it("leads to the lightweight service for a scene of any size (CK006)", () => {
  show(success(1), "scene");
  expect(lightweight()).toHaveAttribute("href", "/workbench/service?serviceName=lightweight&fileId=77");
});

it("offers no lightweight service for a check that failed", () => {
  show(applyMessages(emptyLog, [message(1, "Error", { tips: "文件损坏", fileSize: 200 * MB })]), "scene");
  expect(screen.getByText("体检未通过")).toBeInTheDocument();
  expect(lightweight()).not.toBeInTheDocument();
});

it("keeps the newest line of the log in view (CK011)", () => {
  // jsdom has no layout: a line is 20 high here
  vi.spyOn(Element.prototype, "scrollHeight", "get").mockImplementation(function height(this: Element) {
    return this.children.length * 20;
  });
  const many = (count: number) =>
    applyMessages(
      emptyLog,
      Array.from({ length: count }, (_, i) => message(i + 1, "Normal", { tips: `第 ${i + 1} 行` })),
    );
  const more = show(many(30));
  const list = screen.getByRole("list", { name: "体检日志" });
  expect(list.scrollTop).toBe(600);
  list.scrollTop = 0;
  more(many(50));
  expect(list.scrollTop).toBe(1_000);
});
