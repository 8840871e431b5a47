import Button from "@mui/material/Button";
import { Link } from "react-router";
import { EmptyState } from "@/ui/EmptyState";
import { KINDS, type Kind } from "./kinds";

/** Page for an address without an article, with links to go on. */
export function Missing({ kind, message }: { kind: Kind; message: string }) {
  const { one, home, homeTitle } = KINDS[kind];
  return (
    <>
      <meta name="robots" content="noindex" />
      <EmptyState
        heading="h1"
        kind="search"
        title={message || `没有指明要看哪一篇${one}`}
        hint="可以从目录里挑选，或用几个字查找。"
        action={
          <>
            <Button component={Link} to={home} variant="contained">
              {`去${homeTitle}`}
            </Button>
            <Button component={Link} to="/common/search" variant="outlined" color="inherit">
              全站搜索
            </Button>
          </>
        }
      />
    </>
  );
}

/** Page for an article that could not be loaded. */
export function ArticleFailed({ kind, retry }: { kind: Kind; retry: () => void }) {
  return (
    <EmptyState
      heading="h1"
      kind="error"
      title={`这篇${KINDS[kind].one}没有读取成功`}
      hint="请检查网络后重试。"
      action={
        <>
          <Button variant="contained" onClick={retry}>
            重试
          </Button>
          <Button component={Link} to={KINDS[kind].home} variant="outlined" color="inherit">
            {`去${KINDS[kind].homeTitle}`}
          </Button>
        </>
      }
    />
  );
}
