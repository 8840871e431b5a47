import { render, screen } from "@testing-library/react";
import { expect, test, vi } from "vitest";
import { startUser } from "@/test/user";
import { DateField, readDay } from "./DateField";

test("a day is read in the ways people write it", () => {
  for (const text of ["2026-1-5", "2026/01/05", "2026.1.5", "20260105", "2026年1月5日", " 2026-01-05 "])
    expect(readDay(text), text).toBe("2026-01-05");
  for (const text of ["", "2026-13-01", "2026-02-30", "01/05/2026", "今天"])
    expect(readDay(text), text).toBeUndefined();
});

test("a day is shown and told as year, month, day, whatever the browser's language", async () => {
  const heard = vi.fn();
  const user = startUser();
  render(<DateField label="开始日期" value="" max="2026-12-31" onChange={heard} />);
  const field = screen.getByRole("textbox", { name: "开始日期" });
  expect(field).toHaveAttribute("placeholder", "年-月-日");
  await user.type(field, "2026/3/9{Enter}");
  expect(heard).toHaveBeenLastCalledWith("2026-03-09");
  heard.mockClear();
  await user.clear(field);
  await user.type(field, "2027-01-01{Enter}");
  expect(heard).not.toHaveBeenCalled();
  expect(field).toBeInvalid();
  await user.clear(field);
  await user.tab();
  expect(heard).toHaveBeenLastCalledWith("");
});
