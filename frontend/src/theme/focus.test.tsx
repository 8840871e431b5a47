import Button from "@mui/material/Button";
import CardActionArea from "@mui/material/CardActionArea";
import Checkbox from "@mui/material/Checkbox";
import Chip from "@mui/material/Chip";
import IconButton from "@mui/material/IconButton";
import ListItemButton from "@mui/material/ListItemButton";
import MenuItem from "@mui/material/MenuItem";
import MenuList from "@mui/material/MenuList";
import Radio from "@mui/material/Radio";
import Slider from "@mui/material/Slider";
import Switch from "@mui/material/Switch";
import Tab from "@mui/material/Tab";
import Tabs from "@mui/material/Tabs";
import ToggleButton from "@mui/material/ToggleButton";
import { ThemeProvider } from "@mui/system";
import { render } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import type { ReactElement } from "react";
import { describe, expect, it } from "vitest";
import { darkTheme, theme } from ".";

/** Every kind of control on pages, and where its ring is if not on itself. */
const controls: readonly [name: string, control: ReactElement, ringed?: string][] = [
  ["Button", <Button key="c">发布</Button>],
  [
    "contained Button",
    <Button key="c" variant="contained">
      发布
    </Button>,
  ],
  [
    "link Button",
    <Button key="c" href="/pricePage">
      价格
    </Button>,
  ],
  [
    "IconButton",
    <IconButton key="c" aria-label="购物车">
      +
    </IconButton>,
  ],
  [
    "Tab",
    <Tabs key="c" value="a">
      <Tab value="a" label="数据" />
    </Tabs>,
  ],
  [
    "MenuItem",
    <MenuList key="c">
      <MenuItem tabIndex={0}>重命名</MenuItem>
    </MenuList>,
  ],
  ["ListItemButton", <ListItemButton key="c">我的上传</ListItemButton>],
  ["CardActionArea", <CardActionArea key="c">模型</CardActionArea>],
  [
    "ToggleButton",
    <ToggleButton key="c" value="x">
      X
    </ToggleButton>,
  ],
  ["Chip", <Chip key="c" label="GLB" onClick={() => undefined} />],
  ["Checkbox", <Checkbox key="c" slotProps={{ input: { "aria-label": "同意" } }} />, ".MuiCheckbox-root"],
  ["Radio", <Radio key="c" slotProps={{ input: { "aria-label": "微信" } }} />, ".MuiRadio-root"],
  ["Switch", <Switch key="c" slotProps={{ input: { "aria-label": "阴影" } }} />, ".MuiSwitch-track"],
  ["Slider", <Slider key="c" aria-label="曝光" />, ".MuiSlider-thumb"],
];

describe.each([
  ["light", theme],
  ["dark", darkTheme],
])("on a %s ground the keyboard's focus is seen", (_, ground) => {
  it.each(controls)("%s", async (_name, control, ringed) => {
    const { container } = render(<ThemeProvider theme={ground}>{control}</ThemeProvider>);
    await userEvent.tab();
    const focused = document.activeElement as HTMLElement;
    expect(focused).not.toBe(document.body);
    const shown = ringed ? container.querySelector(ringed) : focused;
    expect(getComputedStyle(shown ?? focused).outline).toBe(
      `2px solid ${ground.tokens.primary.toLowerCase()}`,
    );
  });
});
