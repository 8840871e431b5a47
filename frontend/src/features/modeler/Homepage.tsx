import Alert from "@mui/material/Alert";
import Box from "@mui/material/Box";
import Button from "@mui/material/Button";
import { Link } from "react-router";
import { AuthorView } from "@/features/mall";
import { authorPath } from "@/lib/paths";
import { useSession } from "@/session";
import { PageHeader } from "@/ui/PageHeader";
import { ModelerTabs } from "./Tabs";

/** Preview of the public page, with links to its settings. */
export function Homepage() {
  const { loginId } = useSession();
  return (
    <>
      <PageHeader
        title="模型师主页"
        note="访客在商城看到的作者页"
        actions={
          <>
            <Button component={Link} to={authorPath(loginId)} variant="outlined">
              打开公开页面
            </Button>
            <Button component={Link} to="/workbench/modelMaker/setting" variant="contained">
              主页设置
            </Button>
          </>
        }
      />
      <ModelerTabs current="homePage" />
      <Alert severity="info" sx={{ mb: 2 }}>
        这里是预览。昵称和头像在个人中心修改，标语、介绍、横幅和轮播在主页设置修改，保存后立即生效。
      </Alert>
      <Box
        role="region"
        aria-label="主页预览"
        sx={{
          border: 1,
          borderColor: "divider",
          borderRadius: 2,
          overflow: "hidden",
          bgcolor: "background.paper",
        }}
      >
        <AuthorView authorId={loginId} embedded />
      </Box>
    </>
  );
}
