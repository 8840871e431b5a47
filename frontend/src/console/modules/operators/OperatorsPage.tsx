import Box from "@mui/material/Box";
import Button from "@mui/material/Button";
import OutlinedInput from "@mui/material/OutlinedInput";
import { useId, useState } from "react";
import { Link as RouterLink } from "react-router";
import { type Column, DataTable } from "@/ui/DataTable";
import { toast } from "@/ui/toast";
import {
  type AuthOperatorItem,
  type AuthOperatorRole,
  useOperatorAddMutation,
  useOperatorListQuery,
  useOperatorResetMutation,
  useOperatorRoleListQuery,
  useOperatorSetDisabledMutation,
  useOperatorSetRolesMutation,
} from "../../api/generated/auth";
import type { Word } from "../../kit/choices";
import { minute } from "../../kit/format";
import { Card, PageTitle } from "../../kit/page";
import { RowButton } from "../../kit/RowButton";
import { type ReasonAsk, ReasonDialog } from "../../kit/reason";
import { State } from "../../kit/State";
import { Loaded, Nothing } from "../../kit/states";
import { useMay, useOperator } from "../../session/slice";
import { Checks } from "./Checks";
import { type Link, LinkDialog } from "./LinkDialog";

const STATES: readonly Word[] = [
  { value: "invited", text: "待开通", tone: "warning" },
  { value: "active", text: "正常", tone: "success" },
  { value: "disabled", text: "已停用", tone: "neutral" },
];

type Act = { kind: "add" } | { kind: "roles" | "disable" | "enable" | "reset"; operator: AuthOperatorItem };

const rolesAsChoices = (roles: readonly AuthOperatorRole[]) =>
  roles.map(({ id, title }) => ({ id, text: title }));

/** The console's operators. */
export default function OperatorsPage() {
  const may = useMay();
  const me = useOperator();
  const operators = useOperatorListQuery({});
  const roles = useOperatorRoleListQuery({});
  const [act, setAct] = useState<Act>();
  const [link, setLink] = useState<Link>();
  const manage = may("operator.manage");
  const known = roles.data?.roles ?? [];
  const titleOf = (id: string) => known.find((role) => role.id === id)?.title ?? id;

  const columns: Column<AuthOperatorItem>[] = [
    { key: "name", title: "登录名", render: ({ name }) => <Box sx={{ fontWeight: 500 }}>{name}</Box> },
    { key: "roles", title: "角色", render: (one) => one.roles.map(titleOf).join("、") || "—" },
    { key: "state", title: "状态", render: ({ state }) => <State words={STATES} value={state} /> },
    { key: "in", title: "最近登录", secondary: true, render: ({ signedInAt }) => minute(signedInAt) },
    {
      key: "sessions",
      title: "在线会话",
      numeric: true,
      secondary: true,
      render: ({ sessions }) => sessions,
    },
    { key: "created", title: "添加时间", secondary: true, render: ({ createdAt }) => minute(createdAt) },
    ...(manage
      ? [
          {
            key: "act",
            title: "操作",
            render: (operator: AuthOperatorItem) =>
              operator.id === me.id ? (
                <Box sx={{ color: "text.secondary", whiteSpace: "nowrap" }}>本人</Box>
              ) : (
                <Box sx={{ display: "flex", whiteSpace: "nowrap" }}>
                  <RowButton
                    text="角色"
                    label={`角色 ${operator.name}`}
                    onClick={() => setAct({ kind: "roles", operator })}
                  />
                  <RowButton
                    text="重置"
                    label={`重置 ${operator.name}`}
                    onClick={() => setAct({ kind: "reset", operator })}
                  />
                  {operator.state === "disabled" ? (
                    <RowButton
                      text="启用"
                      label={`启用 ${operator.name}`}
                      onClick={() => setAct({ kind: "enable", operator })}
                    />
                  ) : (
                    <RowButton
                      text="停用"
                      label={`停用 ${operator.name}`}
                      danger
                      onClick={() => setAct({ kind: "disable", operator })}
                    />
                  )}
                </Box>
              ),
          },
        ]
      : []),
  ];

  return (
    <>
      <PageTitle
        title="运营人员"
        actions={
          <Box sx={{ display: "flex", gap: 1 }}>
            <Button
              component={RouterLink}
              to="/operators/roles"
              size="small"
              variant="outlined"
              color="inherit"
            >
              角色与权限
            </Button>
            {manage && (
              <Button size="small" variant="contained" onClick={() => setAct({ kind: "add" })}>
                添加
              </Button>
            )}
          </Box>
        }
      />
      <Loaded query={operators} what="运营人员" rows={6}>
        {(list) => (
          <Card title={`${list.operators.length} 人`} flush>
            <DataTable
              caption="运营人员"
              columns={columns}
              rows={list.operators}
              rowKey={({ id }) => id}
              empty={<Nothing title="还没有运营人员" />}
            />
          </Card>
        )}
      </Loaded>
      <Acts act={act} roles={known} onClose={() => setAct(undefined)} onLink={setLink} />
      <LinkDialog link={link} onClose={() => setLink(undefined)} />
    </>
  );
}

/** Dialogs for actions on operators; each asks for a reason. */
function Acts({
  act,
  roles,
  onClose,
  onLink,
}: {
  act: Act | undefined;
  roles: readonly AuthOperatorRole[];
  onClose: () => void;
  onLink: (link: Link) => void;
}) {
  if (!act) return <ReasonDialog ask={undefined} onClose={onClose} />;
  if (act.kind === "add") return <AddDialog roles={roles} onClose={onClose} onLink={onLink} />;
  if (act.kind === "roles") return <RolesDialog operator={act.operator} roles={roles} onClose={onClose} />;
  return <SwitchDialog act={act.kind} operator={act.operator} onClose={onClose} onLink={onLink} />;
}

function AddDialog({
  roles,
  onClose,
  onLink,
}: {
  roles: readonly AuthOperatorRole[];
  onClose: () => void;
  onLink: (link: Link) => void;
}) {
  const id = useId();
  const [add] = useOperatorAddMutation();
  const [name, setName] = useState("");
  const [chosen, setChosen] = useState<string[]>([]);
  const fields = (
    <>
      <Box>
        <Box component="label" htmlFor={id} sx={{ display: "block", mb: 0.75, fontSize: 13 }}>
          登录名
        </Box>
        <OutlinedInput
          id={id}
          fullWidth
          value={name}
          placeholder="2 到 32 个字母、数字、点或连字符"
          onChange={(event) => setName(event.target.value)}
          inputProps={{ maxLength: 32, autoCapitalize: "none" }}
        />
      </Box>
      <Checks
        label="角色"
        groups={[{ choices: rolesAsChoices(roles) }]}
        chosen={chosen}
        onChosen={setChosen}
      />
    </>
  );
  return (
    <ReasonDialog
      ask={{
        title: "添加运营人员",
        confirmText: "生成开通链接",
        fields,
        ready: name.trim().length >= 2,
        templates: ["新入职", "岗位调整"],
        onConfirm: async (reason) => {
          const made = await add({ name: name.trim(), roles: chosen, reason }).unwrap();
          onLink({ name: name.trim(), link: made.link, expiresAt: made.expiresAt });
        },
      }}
      onClose={onClose}
    />
  );
}

function RolesDialog({
  operator,
  roles,
  onClose,
}: {
  operator: AuthOperatorItem;
  roles: readonly AuthOperatorRole[];
  onClose: () => void;
}) {
  const [setRoles] = useOperatorSetRolesMutation();
  const [chosen, setChosen] = useState<string[]>(operator.roles);
  return (
    <ReasonDialog
      ask={{
        title: `${operator.name} 的角色`,
        note: "不能授予超出自己权限的角色。",
        confirmText: "保存",
        fields: (
          <Checks
            label="角色"
            groups={[{ choices: rolesAsChoices(roles) }]}
            chosen={chosen}
            onChosen={setChosen}
          />
        ),
        templates: ["岗位调整", "临时授权", "收回授权"],
        onConfirm: async (reason) => {
          await setRoles({ id: operator.id, roles: chosen, reason }).unwrap();
          toast.success("角色已更新");
        },
      }}
      onClose={onClose}
    />
  );
}

function SwitchDialog({
  act,
  operator,
  onClose,
  onLink,
}: {
  act: "disable" | "enable" | "reset";
  operator: AuthOperatorItem;
  onClose: () => void;
  onLink: (link: Link) => void;
}) {
  const [setDisabled] = useOperatorSetDisabledMutation();
  const [reset] = useOperatorResetMutation();
  const { id, name } = operator;
  const asks: Record<typeof act, ReasonAsk> = {
    disable: {
      title: `停用 ${name}`,
      note: "停用后不能登录，现有会话立即失效。可以重新启用。",
      confirmText: "停用",
      danger: true,
      templates: ["离职", "岗位调整", "安全事件处置"],
      onConfirm: async (reason) => {
        await setDisabled({ id, disabled: true, reason }).unwrap();
        toast.success("已停用");
      },
    },
    enable: {
      title: `启用 ${name}`,
      confirmText: "启用",
      templates: ["恢复工作"],
      onConfirm: async (reason) => {
        await setDisabled({ id, disabled: false, reason }).unwrap();
        toast.success("已启用");
      },
    },
    reset: {
      title: `重置 ${name} 的登录方式`,
      note: "原密码、验证器和恢复码作废，现有会话立即失效，本人须用新的开通链接重新设置。请先当面核实身份。",
      confirmText: "生成开通链接",
      danger: true,
      templates: ["手机丢失，已当面核实", "忘记密码，已当面核实"],
      onConfirm: async (reason) => {
        const made = await reset({ id, reason }).unwrap();
        onLink({ name, link: made.link, expiresAt: made.expiresAt });
      },
    },
  };
  return <ReasonDialog ask={asks[act]} onClose={onClose} />;
}
