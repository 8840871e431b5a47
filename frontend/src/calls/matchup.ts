import { matchupApi } from "@/api/generated/matchup";

export type * from "@/api/generated/matchup";

const background = { extraOptions: { background: true } };

/** Needs, offers and providers: the calls with their tags. */
const api = matchupApi.enhanceEndpoints({
  addTagTypes: ["Demands", "Offers", "Providers", "Identity"],
  endpoints: {
    matchupMatchupFigures: { providesTags: ["Demands", "Providers"], ...background },
    matchupDecideUserType: { providesTags: ["Identity"], ...background },
    matchupServiceInfo: { providesTags: ["Identity"], ...background },
    matchupUpdateServiceType: { invalidatesTags: ["Identity", "Providers"] },
    matchupSaveProvider: { invalidatesTags: ["Identity", "Providers"] },
    matchupProviderList: { providesTags: ["Providers"], ...background },
    matchupProviderDetail: { providesTags: ["Providers"], ...background },
    matchupDemandList: { providesTags: ["Demands"], ...background },
    matchupDemandDetail: { providesTags: ["Demands", "Offers"], ...background },
    matchupMyDemands: { providesTags: ["Demands"], ...background },
    matchupDemandOffers: { providesTags: ["Offers"], ...background },
    matchupMyOffers: { providesTags: ["Offers"], ...background },
    matchupSaveDemand: { invalidatesTags: ["Demands"] },
    matchupSubmitDemand: { invalidatesTags: ["Demands"] },
    matchupWithdrawDemand: { invalidatesTags: ["Demands", "Offers"] },
    // Not the one that is gone: its page may still be open, and would ask for it in vain.
    matchupDeleteDemand: { invalidatesTags: (_reply, error) => (error ? [] : ["Demands"]) },
    matchupChooseOffer: { invalidatesTags: ["Demands", "Offers"] },
    matchupCloseDemand: { invalidatesTags: ["Demands", "Offers", "Providers"] },
    matchupRateDemand: { invalidatesTags: ["Demands", "Providers"] },
    matchupAddDemandFile: { invalidatesTags: ["Demands"] },
    matchupRemoveDemandFile: { invalidatesTags: ["Demands"] },
    matchupSendOffer: { invalidatesTags: ["Demands", "Offers"] },
    matchupWithdrawOffer: { invalidatesTags: ["Demands", "Offers"] },
  },
});

export const {
  useMatchupAddDemandFileMutation,
  useMatchupChooseOfferMutation,
  useMatchupCloseDemandMutation,
  useMatchupDecideUserTypeQuery,
  useMatchupDeleteDemandMutation,
  useMatchupDemandDetailQuery,
  useMatchupDemandListQuery,
  useMatchupDemandOffersQuery,
  useMatchupMatchupFiguresQuery,
  useMatchupMyDemandsQuery,
  useMatchupMyOffersQuery,
  useMatchupProviderDetailQuery,
  useMatchupProviderListQuery,
  useMatchupRateDemandMutation,
  useMatchupRemoveDemandFileMutation,
  useMatchupSaveDemandMutation,
  useMatchupSaveProviderMutation,
  useMatchupSendOfferMutation,
  useMatchupServiceInfoQuery,
  useMatchupSubmitDemandMutation,
  useMatchupUpdateServiceTypeMutation,
  useMatchupWithdrawDemandMutation,
  useMatchupWithdrawOfferMutation,
} = api;
