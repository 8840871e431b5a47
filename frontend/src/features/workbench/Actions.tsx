import Box from "@mui/material/Box";
import ButtonBase from "@mui/material/ButtonBase";
import { Link } from "react-router";

const ACTIONS = [
  {
    title: "上传模型",
    note: "传完自动体检",
    to: "/workbench/myUpload?upload=1",
    icon: "M12 16V4M7 9l5-5 5 5M4 15v5h16v-5",
    main: true,
  },
  {
    title: "单模型轻量化",
    note: "减到想要的分量",
    to: "/workbench/service?serviceName=lightweight",
    icon: "M12 3l8 4.5v9L12 21l-8-4.5v-9zM8 12h8M9 15.5h6M10 8.5h4",
  },
  {
    title: "格式转换",
    note: "换一种格式",
    to: "/workbench/service?serviceName=convert",
    icon: "M4 8h13l-3-3M20 16H7l3 3",
  },
  {
    title: "查看结果",
    note: "比较与下载",
    to: "/workbench/serviceResult",
    icon: "M5 3h10l4 4v14H5zM15 3v4h4M8.5 13l2.5 2.5L16 11",
  },
] as const;

/** The most frequent actions. */
export function Actions() {
  return (
    <Box
      data-tour="actions"
      sx={{ display: "grid", gap: 2, gridTemplateColumns: { xs: "1fr 1fr", lg: "repeat(4, 1fr)" } }}
    >
      {ACTIONS.map((action) => {
        const main = "main" in action;
        return (
          <ButtonBase
            key={action.to}
            component={Link}
            to={action.to}
            disableRipple
            sx={{
              justifyContent: "flex-start",
              gap: 1.75,
              p: 2.25,
              textAlign: "left",
              borderRadius: 2,
              border: 1,
              borderColor: main ? "primary.main" : "divider",
              backgroundColor: main ? "primary.main" : "background.paper",
              color: main ? "#fff" : "text.primary",
              transition: "border-color 160ms ease-out, background-color 160ms ease-out",
              "&:hover": {
                borderColor: "primary.main",
                backgroundColor: main ? "primary.dark" : "background.paper",
              },
            }}
          >
            <svg
              width="24"
              height="24"
              viewBox="0 0 24 24"
              fill="none"
              stroke="currentColor"
              strokeWidth="1.6"
              strokeLinejoin="round"
              strokeLinecap="round"
              aria-hidden="true"
              style={{ flex: "none" }}
            >
              <path d={action.icon} />
            </svg>
            <Box sx={{ minWidth: 0 }}>
              <Box sx={{ fontWeight: 500, fontSize: { xs: 14, sm: 16 }, lineHeight: "24px" }}>
                {action.title}
              </Box>
              <Box sx={{ fontSize: 12, lineHeight: "18px", color: main ? "#fff" : "text.secondary" }}>
                {action.note}
              </Box>
            </Box>
          </ButtonBase>
        );
      })}
    </Box>
  );
}
