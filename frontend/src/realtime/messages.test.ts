import { describe, expect, it } from "vitest";
import { parseMessage } from "./messages";

describe("pushes", () => {
  it("are read as the contract has them", () => {
    const line = {
      type: "CHECK",
      id: "f1",
      seq: 3,
      status: "Normal",
      tips: "三角面 12000",
      currentTime: 1_795_312_800_123,
      fileSize: 1024,
      format: "glb",
      animation: true,
      modelNum: 1,
    };
    expect(parseMessage(JSON.stringify(line))).toEqual(line);
    const arrived = {
      type: "MESSAGE",
      id: "m1",
      group: "system",
      unread: { total: 2, groups: { system: 2 } },
    };
    expect(parseMessage(JSON.stringify(arrived))).toEqual(arrived);
  });

  it("of a newer server lose the fields that this page does not know", () => {
    const order = { type: "ORDER", orderId: "o1", status: 1 };
    expect(parseMessage(JSON.stringify({ ...order, reason: "x" }))).toEqual(order);
  });

  it("of an older server have nothing in the fields that it does not know", () => {
    expect(parseMessage('{"type":"MESSAGE","id":"m1"}')).toEqual({
      type: "MESSAGE",
      id: "m1",
      group: "",
      unread: null,
    });
  });

  it("of an unknown type keep its name", () => {
    expect(parseMessage('{"type":"RED_DOT","id":"x"}')).toEqual({ type: "OTHER", name: "RED_DOT" });
    expect(parseMessage('{"type":"toString"}')).toEqual({ type: "OTHER", name: "toString" });
  });

  it.each(["", "null", "[]", "{}", "1", '{"type":1}', '{"type":"ORDER","orderId":7,"status":1}', "<html>"])(
    "drops %s",
    (body) => {
      expect(parseMessage(body)).toBeUndefined();
    },
  );
});
