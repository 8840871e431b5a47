//! Packages: storage for some months after payment, in addition to other rights.

use chassis::{ServiceError, SignedIn, db};
use proto::order::v1::{OrderPaid, Package};
use proto::personal::v1::{OwnPackage, PackageCalls, UserRequest};
use sea_orm::DatabaseTransaction;

mod rows;

pub(crate) use rows::packages_of;

use crate::Personal;
use crate::entity::package;
use crate::membership::terms::months_after;
use crate::membership::{Rights, lock_member, publish_changed, terms_of};

impl Personal {
    /// Delivers a paid package. Idempotent: the order's id is its key.
    pub(crate) async fn hand_out(
        &self,
        transaction: &DatabaseTransaction,
        paid: &OrderPaid,
        bought: &Package,
    ) -> anyhow::Result<()> {
        let now = self.context.clock.now_ms();
        // The lock also serialises two orders of one user.
        let version = lock_member(transaction, &paid.owner).await?;
        let mut packages = packages_of(transaction, &paid.owner).await?;
        if packages.iter().any(|known| known.order_id == paid.order_id) {
            return Ok(());
        }
        let fresh = package::Model {
            order_id: paid.order_id.clone(),
            login_id: paid.owner.clone(),
            package_id: bought.id.clone(),
            name: bought.name.clone(),
            storage_gb: bought.storage_gb,
            starts_at: now,
            ends_at: months_after(now, bought.months),
        };
        db::insert(fresh.clone(), transaction).await?;
        packages.push(fresh);
        let mut terms = terms_of(transaction, &paid.owner).await?;
        terms.retain(|term| term.ends_at > now);
        let rights = Rights {
            version,
            terms,
            packages,
        };
        publish_changed(&self.outbox, transaction, paid, rights, now).await?;
        Ok(())
    }
}

impl PackageCalls<ServiceError> for Personal {
    async fn my_package_list(
        &self,
        caller: &SignedIn,
        _: UserRequest,
    ) -> Result<Vec<OwnPackage>, ServiceError> {
        let now = self.context.clock.now_ms();
        let packages = packages_of(&self.context.db, caller.login_id()).await?;
        let to_proto = |package: package::Model| OwnPackage {
            status: i32::from(package.ends_at > now),
            order_id: package.order_id,
            package_id: package.package_id,
            name: package.name,
            storage_gb: package.storage_gb,
            start_time: package.starts_at,
            expire_time: package.ends_at,
        };
        Ok(packages.into_iter().rev().map(to_proto).collect())
    }
}
