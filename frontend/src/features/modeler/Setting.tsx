import Box from "@mui/material/Box";
import Button from "@mui/material/Button";
import MenuItem from "@mui/material/MenuItem";
import TextField from "@mui/material/TextField";
import { type FormEvent, useState } from "react";
import { Link } from "react-router";
import type { TransactionListing, TransactionModelerPage } from "@/calls/transaction";
import { PageHeader } from "@/ui/PageHeader";
import { ReadFailed } from "@/ui/ReadFailed";
import { LinesSkeleton } from "@/ui/Skeletons";
import { Thumb } from "@/ui/Thumb";
import { ModelerTabs } from "./Tabs";
import { usePage } from "./usePage";
import { lengthOf, MOST, THEMES } from "./words";

/** Banner and introduction of the public page; the carousel has its own page. */
export function Setting() {
  const { page, listings, ready, failed, retry, busy, save } = usePage();
  return (
    <>
      <PageHeader
        title="主页设置"
        note="公开作者页的横幅与介绍；文字会经过内容检查"
        actions={
          <Button component={Link} to="/workbench/modelMaker/swiper" variant="outlined">
            设置轮播
          </Button>
        }
      />
      <ModelerTabs current="setting" />
      {failed ? (
        <ReadFailed what="主页设置" onRetry={retry} />
      ) : !ready || !page ? (
        <LinesSkeleton lines={8} />
      ) : (
        <SettingForm page={page} listings={listings} busy={busy} onSave={save} />
      )}
    </>
  );
}

function SettingForm({
  page,
  listings,
  busy,
  onSave,
}: {
  page: TransactionModelerPage;
  listings: readonly TransactionListing[];
  busy: boolean;
  onSave: (change: {
    slogan: string;
    introduction: string;
    theme: string;
    bannerId: string;
  }) => Promise<void>;
}) {
  const [slogan, setSlogan] = useState(page.slogan);
  const [introduction, setIntroduction] = useState(page.introduction);
  const [theme, setTheme] = useState(page.theme);
  // A model no longer in the mall cannot be the banner.
  const [bannerId, setBanner] = useState(
    listings.some(({ listingId }) => listingId === page.bannerId) ? page.bannerId : "",
  );
  const long = {
    slogan: lengthOf(slogan) > MOST.slogan,
    introduction: lengthOf(introduction) > MOST.introduction,
  };
  const banner = listings.find(({ listingId }) => listingId === bannerId);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (!long.slogan && !long.introduction) void onSave({ slogan, introduction, theme, bannerId });
  };
  return (
    <Box
      component="form"
      noValidate
      onSubmit={submit}
      sx={{
        maxWidth: 720,
        p: 3,
        display: "grid",
        gap: 3,
        border: 1,
        borderColor: "divider",
        borderRadius: 2,
        bgcolor: "background.paper",
      }}
    >
      <TextField
        label="横幅标语"
        value={slogan}
        onChange={(event) => setSlogan(event.target.value)}
        error={long.slogan}
        helperText={
          long.slogan
            ? `横幅标语最多 ${MOST.slogan} 个字符`
            : `${lengthOf(slogan)} / ${MOST.slogan}，可以不填`
        }
        slotProps={{ inputLabel: { shrink: true } }}
      />
      <TextField
        select
        label="横幅配色"
        value={theme}
        onChange={(event) => setTheme(event.target.value)}
        slotProps={{ inputLabel: { shrink: true } }}
      >
        {THEMES.map(({ value, title }) => (
          <MenuItem key={value} value={value}>
            {title}
          </MenuItem>
        ))}
      </TextField>
      <Box sx={{ display: "flex", alignItems: "center", gap: 2 }}>
        <Thumb src={banner?.thumbUrl} size={72} />
        <TextField
          select
          fullWidth
          label="横幅图片"
          value={bannerId}
          onChange={(event) => setBanner(event.target.value)}
          helperText={listings.length === 0 ? "有模型上架后可以选择" : "取自您已上架的模型，展示图都经过审核"}
          slotProps={{ inputLabel: { shrink: true }, select: { displayEmpty: true } }}
        >
          <MenuItem value="">不放图片</MenuItem>
          {listings.map(({ listingId, name }) => (
            <MenuItem key={listingId} value={listingId}>
              {name}
            </MenuItem>
          ))}
        </TextField>
      </Box>
      <TextField
        label="主页介绍"
        multiline
        minRows={6}
        value={introduction}
        onChange={(event) => setIntroduction(event.target.value)}
        error={long.introduction}
        helperText={
          long.introduction
            ? `主页介绍最多 ${MOST.introduction} 个字符`
            : `${lengthOf(introduction)} / ${MOST.introduction}`
        }
        slotProps={{ inputLabel: { shrink: true } }}
      />
      <Box>
        <Button type="submit" variant="contained" loading={busy}>
          保存
        </Button>
      </Box>
    </Box>
  );
}
