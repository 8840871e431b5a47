import Box from "@mui/material/Box";
import Button from "@mui/material/Button";
import OutlinedInput from "@mui/material/OutlinedInput";
import { useId, useState } from "react";
import { withSeenTurns } from "@/lib/direction";
import { monoFamily } from "@/theme";
import { ScrollBox } from "@/ui/ScrollBox";
import { toast } from "@/ui/toast";
import { VISUALLY_HIDDEN } from "@/ui/visuallyHidden";
import {
  type AuthOperatorPermission,
  type AuthOperatorRole,
  useOperatorRoleListQuery,
  useOperatorRoleRemoveMutation,
  useOperatorRoleSaveMutation,
} from "../../api/generated/auth";
import { Card, PageTitle } from "../../kit/page";
import { useByArea, useNameOf } from "../../kit/parts";
import { ReasonDialog } from "../../kit/reason";
import { Loaded } from "../../kit/states";
import { useMay, useOperator } from "../../session/slice";
import { Checks } from "./Checks";
import { isNeeded, withReading } from "./reading";

type Act = { kind: "save"; role?: AuthOperatorRole } | { kind: "remove"; role: AuthOperatorRole };

/** Permissions of the roles: roles as columns, permissions as rows. */
export default function RolesPage() {
  const may = useMay();
  const me = useOperator();
  const query = useOperatorRoleListQuery({});
  const [act, setAct] = useState<Act>();
  const manage = may("operator.manage");
  return (
    <>
      <PageTitle
        back={{ to: "/operators", text: "运营人员" }}
        title="角色与权限"
        note="权限来自控制台的接口；不能修改自己拥有的角色，也不能授予自己没有的权限"
        actions={
          manage && (
            <Button size="small" variant="contained" onClick={() => setAct({ kind: "save" })}>
              新建角色
            </Button>
          )
        }
      />
      <Loaded query={query} what="角色" rows={8}>
        {({ roles, permissions }) => (
          <>
            <Card title="权限矩阵" flush>
              <Matrix
                roles={roles}
                permissions={permissions}
                canChange={(role) => manage && !role.builtIn && !me.roles.includes(role.title)}
                onAct={setAct}
              />
            </Card>
            {act?.kind === "save" && (
              <SaveDialog
                role={act.role}
                permissions={permissions.filter(({ id }) => may(id))}
                onClose={() => setAct(undefined)}
              />
            )}
            {act?.kind === "remove" && <RemoveDialog role={act.role} onClose={() => setAct(undefined)} />}
          </>
        )}
      </Loaded>
    </>
  );
}

function Matrix({
  roles,
  permissions,
  canChange,
  onAct,
}: {
  roles: readonly AuthOperatorRole[];
  permissions: readonly AuthOperatorPermission[];
  canChange: (role: AuthOperatorRole) => boolean;
  onAct: (act: Act) => void;
}) {
  const nameOf = useNameOf();
  const byArea = useByArea();
  return (
    <ScrollBox label="角色的权限">
      <Box
        component="table"
        sx={{
          width: "100%",
          borderCollapse: "collapse",
          "& th, & td": {
            borderBottom: 1,
            borderColor: "divider",
            textAlign: "center",
            fontWeight: 400,
            position: "relative",
          },
          "& tbody:last-of-type tr:last-of-type > *": { borderBottom: 0 },
          "& tbody th, & thead th:first-of-type": {
            textAlign: "left",
            position: "sticky",
            left: 0,
            backgroundColor: "background.paper",
          },
          "& tbody .area": { py: 0.5, backgroundColor: "background.default" },
          "& tbody tr:hover > *": { backgroundColor: "background.default" },
        }}
      >
        <Box component="caption" sx={VISUALLY_HIDDEN}>
          角色的权限
        </Box>
        <thead>
          <tr>
            <th scope="col">权限</th>
            {roles.map((role) => (
              <th key={role.id} scope="col">
                <Box sx={{ fontWeight: 500, minWidth: "4em", overflowWrap: "anywhere" }}>
                  {withSeenTurns(role.title)}
                </Box>
                <Box sx={{ fontSize: 12, color: "text.secondary", whiteSpace: "nowrap" }}>
                  {role.builtIn ? `内置 · ${role.operators} 人` : `${role.operators} 人`}
                </Box>
                {canChange(role) && (
                  <Box sx={{ whiteSpace: "nowrap" }}>
                    <Button
                      size="small"
                      aria-label={`修改角色 ${role.title}`}
                      sx={{ minHeight: 24, minWidth: 0, p: 0, px: 0.5, fontSize: 12 }}
                      onClick={() => onAct({ kind: "save", role })}
                    >
                      修改
                    </Button>
                    {role.operators === 0 && (
                      <Button
                        size="small"
                        color="error"
                        aria-label={`删除角色 ${role.title}`}
                        sx={{ minHeight: 24, minWidth: 0, p: 0, px: 0.5, fontSize: 12 }}
                        onClick={() => onAct({ kind: "remove", role })}
                      >
                        删除
                      </Button>
                    )}
                  </Box>
                )}
              </th>
            ))}
          </tr>
        </thead>
        {byArea(permissions).map((area) => (
          <tbody key={area.title}>
            <tr>
              <Box component="th" scope="rowgroup" colSpan={roles.length + 1} className="area">
                <Box sx={{ fontSize: 12, fontWeight: 500, color: "text.secondary" }}>{area.title}</Box>
              </Box>
            </tr>
            {area.items.map(({ id, calls }) => (
              <tr key={id}>
                <th scope="row">
                  <Box>{nameOf(id)}</Box>
                  <Box
                    title={calls.join(" ")}
                    sx={{ fontFamily: monoFamily, fontSize: 12, color: "text.secondary" }}
                  >
                    {id}
                  </Box>
                </th>
                {roles.map((role) => {
                  const has = role.builtIn || role.permissions.includes(id);
                  return (
                    <td key={role.id}>
                      <Box
                        component="span"
                        aria-hidden="true"
                        sx={{ color: has ? "success.main" : "text.disabled" }}
                      >
                        {has ? "✓" : "·"}
                      </Box>
                      <Box component="span" sx={VISUALLY_HIDDEN}>
                        {has ? "有" : "无"}
                      </Box>
                    </td>
                  );
                })}
              </tr>
            ))}
          </tbody>
        ))}
      </Box>
    </ScrollBox>
  );
}

function SaveDialog({
  role,
  permissions,
  onClose,
}: {
  role?: AuthOperatorRole;
  permissions: readonly AuthOperatorPermission[];
  onClose: () => void;
}) {
  const id = useId();
  const nameOf = useNameOf();
  const byArea = useByArea();
  const [save] = useOperatorRoleSaveMutation();
  const [title, setTitle] = useState(role?.title ?? "");
  const known = permissions.map((one) => one.id);
  const [chosen, setChosen] = useState(() => withReading(role?.permissions ?? [], known));
  return (
    <ReasonDialog
      ask={{
        title: role ? `修改角色“${role.title}”` : "新建角色",
        confirmText: "保存",
        wide: true,
        ready: title.trim() !== "" && chosen.length > 0,
        note: role && role.operators > 0 ? `拥有这个角色的 ${role.operators} 人会立即受到影响。` : undefined,
        fields: (
          <>
            <Box>
              <Box component="label" htmlFor={id} sx={{ display: "block", mb: 0.75, fontSize: 13 }}>
                名称
              </Box>
              <OutlinedInput
                id={id}
                fullWidth
                value={title}
                onChange={(event) => setTitle(event.target.value)}
                inputProps={{ maxLength: 32 }}
              />
            </Box>
            <Checks
              label="权限"
              groups={byArea(permissions).map(({ title: area, items }) => ({
                title: area,
                choices: items.map((one) => {
                  const fixed = isNeeded(one.id, chosen, known);
                  return {
                    id: one.id,
                    text: nameOf(one.id),
                    fixed,
                    note: fixed ? "其他权限需要" : undefined,
                  };
                }),
              }))}
              chosen={chosen}
              onChosen={(next) => setChosen(withReading(next, known))}
            />
          </>
        ),
        templates: ["职责调整", "新增岗位"],
        onConfirm: async (reason) => {
          await save({ id: role?.id ?? "", title: title.trim(), permissions: chosen, reason }).unwrap();
          toast.success("角色已保存");
        },
      }}
      onClose={onClose}
    />
  );
}

function RemoveDialog({ role, onClose }: { role: AuthOperatorRole; onClose: () => void }) {
  const [remove] = useOperatorRoleRemoveMutation();
  return (
    <ReasonDialog
      ask={{
        title: `删除角色“${role.title}”`,
        confirmText: "删除",
        danger: true,
        templates: ["不再使用"],
        onConfirm: async (reason) => {
          await remove({ id: role.id, reason }).unwrap();
          toast.success("角色已删除");
        },
      }}
      onClose={onClose}
    />
  );
}
