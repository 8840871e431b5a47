import { authApi } from "../../api/generated/auth";

/** The calls about operators and what their roles permit. */
const operatorsApi = authApi.enhanceEndpoints({
  addTagTypes: ["Operators", "Roles"],
  endpoints: {
    authOperatorList: { providesTags: ["Operators"] },
    authOperatorRoleList: { providesTags: ["Roles"] },
    authOperatorAdd: { invalidatesTags: ["Operators", "Roles"] },
    authOperatorSetRoles: { invalidatesTags: ["Operators", "Roles"] },
    authOperatorSetDisabled: { invalidatesTags: ["Operators"] },
    authOperatorReset: { invalidatesTags: ["Operators"] },
    authOperatorRoleSave: { invalidatesTags: ["Roles"] },
    authOperatorRoleRemove: { invalidatesTags: ["Roles"] },
  },
});

export const {
  useAuthOperatorListQuery: useOperators,
  useAuthOperatorRoleListQuery: useRoles,
  useAuthOperatorAddMutation: useAdd,
  useAuthOperatorSetRolesMutation: useSetRoles,
  useAuthOperatorSetDisabledMutation: useSetDisabled,
  useAuthOperatorResetMutation: useReset,
  useAuthOperatorRoleSaveMutation: useSaveRole,
  useAuthOperatorRoleRemoveMutation: useRemoveRole,
} = operatorsApi;
