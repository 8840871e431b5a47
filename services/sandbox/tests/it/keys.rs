//! Key rotation: announced, then switched to.

use sandbox::pay::identity::{Changing, Identity};

#[test]
fn announced_keys_count_after_the_switch() {
    let folder = tempfile::TempDir::new().unwrap();
    let now = 1_700_000_000_000;
    let open = || Identity::open(folder.path(), now).unwrap();
    let first = open();
    assert!(first.switch(folder.path()).unwrap().is_none());
    let before = first.merchant_keys().unwrap();
    assert!(before.next.is_none());
    let all = [
        Changing::AlipayApp,
        Changing::Alipay,
        Changing::WechatMerchant,
        Changing::WechatPublicKey,
        Changing::WechatApi,
    ];
    first.announce(folder.path(), &all, now).unwrap();

    // The configuration for payment accepts both; WeChat accepts the new certificate already.
    let keys = open().merchant_keys().unwrap();
    let next = keys.next.as_deref().unwrap();
    let (alipay, wechat) = (keys.alipay("http://x"), keys.wechat("http://x"));
    let text = |table: &toml::Table, name: &str| table[name].as_str().unwrap().to_owned();
    assert_eq!(text(&alipay, "key"), before.alipay_app_key);
    assert_eq!(text(&alipay, "other_key"), next.alipay_app_key);
    assert_eq!(text(&alipay, "other_alipay_key"), next.alipay_public_key);
    assert_eq!(text(&wechat, "serial"), next.wechat_serial);
    assert_eq!(text(&wechat, "key"), next.wechat_merchant_key);
    assert_eq!(
        text(&wechat, "platform_serial"),
        before.wechat_public_key_id
    );
    assert_eq!(
        text(&wechat, "other_platform_serial"),
        next.wechat_public_key_id
    );
    assert_eq!(text(&wechat, "other_api_key"), next.wechat_api_key);
    // Nothing else changes.
    assert_eq!(keys.alipay_app_id, next.alipay_app_id);
    assert_eq!(keys.wechat_mch_id, next.wechat_mch_id);
    assert_eq!(keys.wechat_platform_serial, next.wechat_platform_serial);

    open().switch(folder.path()).unwrap().unwrap();
    let after = open().merchant_keys().unwrap();
    assert!(after.next.is_none());
    assert_eq!(after.alipay_app_key, next.alipay_app_key);
    assert_eq!(after.wechat_serial, next.wechat_serial);
    let alipay = after.alipay("http://x");
    assert_eq!(text(&alipay, "other_key"), "");
    assert_eq!(text(&alipay, "alipay_key"), next.alipay_public_key);
}
