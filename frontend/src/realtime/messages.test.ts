import { describe, expect, it } from "vitest";
import { parseMessage } from "./messages";

describe("messages of the queue", () => {
  it("reads a line of a check-up", () => {
    const body = {
      type: "CHECK",
      id: "f1",
      seq: 3,
      status: "Normal",
      tips: "三角面 12000",
      currentTime: "2026-11-21 10:00:00",
      fileSize: 1024,
      format: "glb",
      animation: true,
      modelNum: 1,
    };
    expect(parseMessage(JSON.stringify(body))).toEqual(body);
  });

  it("reads progress, and numbers that came as text", () => {
    expect(
      parseMessage(
        JSON.stringify({ type: "SERVICE", id: 7, status: "RUNNING", percent: "42", stage: "减面", tips: "" }),
      ),
    ).toEqual({ type: "SERVICE", id: "7", status: "RUNNING", percent: 42, stage: "减面", tips: "" });
  });

  it("reads how an order stands", () => {
    expect(parseMessage('{"type":"ORDER","orderId":"o1","status":1}')).toEqual({
      type: "ORDER",
      id: "o1",
      status: 1,
    });
  });

  it("reads how a certification stands", () => {
    const body = { type: "CERTIFICATION", checkStatus: 1 };
    expect(parseMessage(JSON.stringify(body))).toEqual(body);
  });

  it("keeps the name of a type it does not know", () => {
    expect(parseMessage('{"type":"RED_DOT","id":"x"}')).toEqual({ type: "OTHER", id: "x", name: "RED_DOT" });
  });

  it.each(["", "null", "[]", "{}", "1", '{"type":1}', '{"type":"CHECK","id":"x","status":"Odd"}', "<html>"])(
    "drops %s",
    (body) => {
      expect(parseMessage(body)).toBeUndefined();
    },
  );
});
