import Box from "@mui/material/Box";
import Button from "@mui/material/Button";
import Dialog from "@mui/material/Dialog";
import DialogContent from "@mui/material/DialogContent";
import DialogTitle from "@mui/material/DialogTitle";
import { useId, useState } from "react";
import { useForm } from "react-hook-form";
import { useAccountSecurityQuery } from "@/calls/auth";
import { type PersonalUserInfo, useQueryInfoQuery } from "@/calls/personal";
import { InterestForm, interestText, purposeText } from "@/features/interest";
import { characters as length } from "@/lib/characters";
import { accountMessages as m } from "@/messages/account";
import { useSession } from "@/session";
import { Field } from "@/ui/Field";
import { Panel } from "@/ui/Panel";
import { ReadFailed } from "@/ui/ReadFailed";
import { LinesSkeleton } from "@/ui/Skeletons";
import { toast } from "@/ui/toast";
import { SettingRow } from "../SettingRow";
import { AvatarRow } from "./AvatarRow";
import { type ModifyProfile, useModifyProfile } from "./useModifyProfile";

const NICKNAME_MAX = 16;
const INTRODUCE_MAX = 200;
const USERNAME = /^[A-Za-z]\w{3,19}$/;

/** The user's public profile. */
export function EditPanel() {
  const { loginId, nickname, username } = useSession();
  const info = useQueryInfoQuery({ userId: loginId }, { skip: !loginId });
  const modify = useModifyProfile();
  if (!info.data) {
    return (
      <Panel title="个人资料">
        {info.isError ? (
          <ReadFailed dense what="个人资料" onRetry={info.refetch} />
        ) : (
          <Box sx={{ p: 2.5, minHeight: 360 }}>
            <LinesSkeleton lines={7} />
          </Box>
        )}
      </Panel>
    );
  }
  return (
    <Panel title="个人资料">
      <AvatarRow url={info.data.avatar} name={info.data.nickName || nickname} modify={modify} />
      <ProfileForm info={info.data} username={username} modify={modify} />
      <InterestRow />
    </Panel>
  );
}

function ProfileForm({
  info,
  username,
  modify,
}: {
  info: PersonalUserInfo;
  username: string;
  modify: ModifyProfile;
}) {
  const values = {
    nickname: info.nickName ?? "",
    username,
    introduce: info.introduce ?? "",
  };
  const { register, handleSubmit, watch, formState } = useForm({
    values,
    // A refetch of the profile keeps unsaved input.
    resetOptions: { keepDirtyValues: true },
  });
  const { errors, dirtyFields, isDirty, isSubmitting } = formState;
  const submit = handleSubmit(async (typed) => {
    await modify({
      ...(dirtyFields.nickname && { nickname: typed.nickname.trim() }),
      ...(dirtyFields.username && { username: typed.username }),
      ...(dirtyFields.introduce && { introduce: typed.introduce.trim() }),
    });
  });
  const checkNickname = (value: string) => {
    if (!value.trim()) return m.nicknameRequired;
    return length(value.trim()) <= NICKNAME_MAX || m.nicknameLength;
  };
  const introduce = watch("introduce");

  return (
    <Box
      component="form"
      noValidate
      onSubmit={(event) => void submit(event)}
      sx={{ px: 2.5, pt: 2, pb: 2.5, borderTop: 1, borderColor: "divider" }}
    >
      <Box
        sx={{ display: "grid", gap: { xs: 0, sm: 2.5 }, gridTemplateColumns: { xs: "1fr", sm: "1fr 1fr" } }}
      >
        <Field
          label="昵称"
          field={register("nickname", { validate: checkNickname })}
          error={errors.nickname?.message}
          placeholder="1 到 16 个字符"
          autoComplete="nickname"
        />
        <Field
          label="用户名"
          field={register("username", {
            validate: (value) => value === username || USERNAME.test(value) || m.usernameWrong,
          })}
          error={errors.username?.message}
          placeholder="字母开头，4~20 位字母、数字或下划线"
          autoComplete="off"
        />
      </Box>
      <Field
        label={`简介（${length(introduce)}/${INTRODUCE_MAX}）`}
        field={register("introduce", {
          validate: (value) => length(value) <= INTRODUCE_MAX || m.introduceLength,
        })}
        error={errors.introduce?.message}
        placeholder="介绍自己，最多 200 个字符"
        autoComplete="off"
        rows={3}
      />
      <Button type="submit" variant="contained" disabled={!isDirty} loading={isSubmitting}>
        保存资料
      </Button>
    </Box>
  );
}

function InterestRow() {
  const titleId = useId();
  const { data } = useAccountSecurityQuery({});
  const [open, setOpen] = useState(false);
  if (!data) return null;
  const summary = [interestText(data.interest), purposeText(data.registerPurpose)]
    .filter(Boolean)
    .join(" · ");
  return (
    <>
      <SettingRow
        title="兴趣与目的"
        value={summary || "未填写"}
        note="用来推荐更合适的内容，别人看不到"
        action={
          <Button size="small" variant="outlined" onClick={() => setOpen(true)} aria-label="修改兴趣与目的">
            修改
          </Button>
        }
      />
      <Dialog open={open} onClose={() => setOpen(false)} aria-labelledby={titleId} maxWidth="xs" fullWidth>
        <DialogTitle id={titleId}>兴趣与目的</DialogTitle>
        <DialogContent sx={{ pt: 0 }}>
          <InterestForm
            interest={data.interest}
            purpose={data.registerPurpose}
            onDone={(saved) => {
              setOpen(false);
              if (saved) toast.success(m.interestSaved);
            }}
          />
        </DialogContent>
      </Dialog>
    </>
  );
}
