//! The calls about cards and withdrawals, and the operators': request → domain → reply.

use chassis::rpc::{Reply, called_by, reply, signed_in};
use proto::common::v1::Empty;
use proto::payment::v1::withdrawal_api_server::WithdrawalApi;
use proto::payment::v1::withdrawal_console_api_server::WithdrawalConsoleApi;
use proto::payment::v1::*;
use tonic::Request;

use crate::Payment;

#[tonic::async_trait]
impl WithdrawalApi for Payment {
    async fn query_card_list(&self, request: Request<CardListRequest>) -> Reply<CardList> {
        let (owner, _) = signed_in(request)?;
        reply(self.cards(&owner).await)
    }

    async fn delet_card(&self, request: Request<DeletCardRequest>) -> Reply<Empty> {
        let (owner, form) = signed_in(request)?;
        let deleted = self.delete_card(&owner, &form.card_id).await;
        reply(deleted.map(|()| Empty {}))
    }

    async fn modify_bank(&self, request: Request<ModifyBankRequest>) -> Reply<BankCard> {
        let (owner, form) = signed_in(request)?;
        reply(self.modify_card(&owner, &form).await)
    }

    async fn withdraw_list(&self, request: Request<WithdrawListRequest>) -> Reply<WithdrawList> {
        let (owner, form) = signed_in(request)?;
        reply(self.withdrawals(&owner, &form).await)
    }

    async fn manual_check(&self, request: Request<ManualCheckRequest>) -> Reply<Withdrawal> {
        let (owner, form) = signed_in(request)?;
        reply(self.request_withdrawal(&owner, &form).await)
    }

    async fn cancel_withdrawal(
        &self,
        request: Request<CancelWithdrawalRequest>,
    ) -> Reply<Withdrawal> {
        let (owner, form) = signed_in(request)?;
        reply(self.cancel_withdrawal(&owner, &form.withdrawal_id).await)
    }
}

#[tonic::async_trait]
impl WithdrawalConsoleApi for Payment {
    async fn withdrawal_search(
        &self,
        request: Request<WithdrawalSearchRequest>,
    ) -> Reply<WithdrawalSearchReply> {
        reply(self.search_withdrawals(request.get_ref()).await)
    }

    async fn withdrawal_show(
        &self,
        request: Request<WithdrawalShowRequest>,
    ) -> Reply<WithdrawalShowReply> {
        reply(self.show_withdrawal(&request.get_ref().id).await)
    }

    async fn withdrawal_approve(
        &self,
        request: Request<WithdrawalDecideRequest>,
    ) -> Reply<WithdrawalItem> {
        let (caller, form) = called_by(request)?;
        reply(self.approve_withdrawal(&caller, &form).await)
    }

    async fn withdrawal_refuse(
        &self,
        request: Request<WithdrawalDecideRequest>,
    ) -> Reply<WithdrawalItem> {
        let (caller, form) = called_by(request)?;
        reply(self.refuse_withdrawal(&caller, &form).await)
    }

    async fn withdrawal_take(
        &self,
        request: Request<WithdrawalTakeRequest>,
    ) -> Reply<WithdrawalCardReply> {
        let (caller, form) = called_by(request)?;
        reply(self.take_withdrawal(&caller, &form).await)
    }

    async fn withdrawal_give_back(
        &self,
        request: Request<WithdrawalDecideRequest>,
    ) -> Reply<WithdrawalItem> {
        let (caller, form) = called_by(request)?;
        reply(self.give_withdrawal_back(&caller, &form).await)
    }

    async fn withdrawal_paid(
        &self,
        request: Request<WithdrawalPaidRequest>,
    ) -> Reply<WithdrawalItem> {
        let (caller, form) = called_by(request)?;
        reply(self.withdrawal_paid(&caller, &form).await)
    }

    async fn withdrawal_failed(
        &self,
        request: Request<WithdrawalDecideRequest>,
    ) -> Reply<WithdrawalItem> {
        let (caller, form) = called_by(request)?;
        reply(self.withdrawal_failed(&caller, &form).await)
    }

    async fn withdrawal_card(
        &self,
        request: Request<WithdrawalShowRequest>,
    ) -> Reply<WithdrawalCardReply> {
        let (caller, form) = called_by(request)?;
        reply(self.withdrawal_card(&caller, &form.id).await)
    }
}
