// Third-party clients: they use the sandbox like the real providers, and verify what we sign.
import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import { after, before, test } from 'node:test';
import { AlipaySdk } from 'alipay-sdk';
import { Aes, Formatter, Rsa, Wechatpay } from 'wechatpay-axios-plugin';

const { address, keys, other, ours } = JSON.parse(process.env.SANDBOX);

// Receives notifications like a merchant's site.
const heard = [];
let site;
let server;
before(async () => {
  server = createServer((request, response) => {
    const chunks = [];
    request.on('data', (chunk) => chunks.push(chunk));
    request.on('end', () => {
      heard.push({ url: request.url, headers: request.headers, body: Buffer.concat(chunks).toString() });
      response.end('success');
    });
  });
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  site = `http://127.0.0.1:${server.address().port}`;
});
after(() => server.close());

async function hears(path) {
  for (let i = 0; i < 200; i++) {
    const found = heard.find((message) => message.url === path);
    if (found) return found;
    await new Promise((resolve) => setTimeout(resolve, 25));
  }
  return assert.fail(`nothing came to ${path}`);
}

async function pay(channel, outTradeNo) {
  const body = JSON.stringify({ channel, outTradeNo });
  const headers = { 'content-type': 'application/json' };
  const answer = await fetch(`${address}/api/pay`, { method: 'POST', headers, body });
  assert.equal(answer.status, 200);
}

const alipay = (privateKey = keys.alipayAppKey) =>
  new AlipaySdk({
    appId: keys.alipayAppId,
    privateKey,
    keyType: 'PKCS8',
    alipayPublicKey: keys.alipayPublicKey,
    gateway: `${address}/alipay/gateway.do`,
    camelcase: true,
  });

test('alipay-sdk pays, asks, is notified, refunds', async () => {
  const sdk = alipay();
  const number = 'node0001';
  const url = sdk.pageExec('alipay.trade.page.pay', 'GET', {
    notifyUrl: `${site}/alipay`,
    returnUrl: `${site}/back`,
    bizContent: {
      out_trade_no: number,
      total_amount: '12.30',
      subject: '会员一年',
      product_code: 'FAST_INSTANT_TRADE_PAY',
    },
  });
  const opened = await fetch(url, { redirect: 'manual' });
  assert.equal(opened.status, 303, await opened.text());
  const ask = (method, bizContent) => sdk.exec(method, { bizContent }, { validateSign: true });
  const waiting = await ask('alipay.trade.query', { out_trade_no: number });
  assert.equal(waiting.tradeStatus, 'WAIT_BUYER_PAY');
  await pay('alipay', number);
  const paid = await ask('alipay.trade.query', { out_trade_no: number });
  assert.equal(paid.tradeStatus, 'TRADE_SUCCESS');
  assert.equal(paid.totalAmount, '12.30');

  const { body } = await hears('/alipay');
  const message = Object.fromEntries(new URLSearchParams(body));
  assert.equal(message.trade_status, 'TRADE_SUCCESS');
  assert.ok(sdk.checkNotifySign({ ...message }));
  assert.ok(!sdk.checkNotifySign({ ...message, total_amount: '0.01' }));

  const refund = { out_trade_no: number, out_request_no: 'r1', refund_amount: '2.30' };
  assert.equal((await ask('alipay.trade.refund', refund)).fundChange, 'Y');
  assert.equal((await ask('alipay.trade.refund', refund)).fundChange, 'N');
  const known = await ask('alipay.trade.fastpay.refund.query', refund);
  assert.equal(known.refundStatus, 'REFUND_SUCCESS');
  const much = await ask('alipay.trade.refund', { ...refund, out_request_no: 'r2', refund_amount: '10.01' });
  assert.equal(much.code, '40004');
  const closed = await ask('alipay.trade.close', { out_trade_no: number });
  assert.equal(closed.subCode, 'ACQ.TRADE_STATUS_ERROR');
});

test('alipay-sdk: what is unknown, and whose key is wrong', async () => {
  const question = { bizContent: { out_trade_no: 'nothing' } };
  const unknown = await alipay().exec('alipay.trade.query', question, { validateSign: true });
  assert.equal(unknown.subCode, 'ACQ.TRADE_NOT_EXIST');
  const stranger = await alipay(other).exec('alipay.trade.query', question, { validateSign: true });
  assert.equal(stranger.subCode, 'isv.invalid-signature');
});

const wechat = (privateKey = keys.wechatMerchantKey) =>
  new Wechatpay({
    mchid: keys.wechatMchId,
    serial: keys.wechatSerial,
    privateKey,
    certs: { [keys.wechatPlatformSerial]: keys.wechatPlatformCertificate },
    baseURL: `${address}/wechat/`,
  });

const order = (number) => ({
  appid: keys.wechatAppId,
  mchid: keys.wechatMchId,
  description: '会员一年',
  out_trade_no: number,
  notify_url: `${site}/wechat`,
  amount: { total: 1230, currency: 'CNY' },
});

test('wechatpay-axios-plugin pays, asks, is notified, refunds', async () => {
  const client = wechat();
  const number = 'node000001';
  const native = await client.v3.pay.transactions.native.post(order(number));
  assert.match(native.data.code_url, /^weixin:\/\/wxpay\/bizpayurl\?pr=\w+$/);
  const ask = () => client.v3.pay.transactions.outTradeNo[number].get({ params: { mchid: keys.wechatMchId } });
  assert.equal((await ask()).data.trade_state, 'NOTPAY');
  await pay('wechat', number);
  assert.equal((await ask()).data.trade_state, 'SUCCESS');

  const { headers, body } = await hears('/wechat');
  assert.equal(headers['wechatpay-serial'], keys.wechatPlatformSerial);
  const signed = Formatter.response(headers['wechatpay-timestamp'], headers['wechatpay-nonce'], body);
  const certificate = Rsa.from(keys.wechatPlatformCertificate, Rsa.KEY_TYPE_PUBLIC);
  assert.ok(Rsa.verify(signed, headers['wechatpay-signature'], certificate));
  assert.ok(!Rsa.verify(`${signed} `, headers['wechatpay-signature'], certificate));
  const { ciphertext, nonce, associated_data } = JSON.parse(body).resource;
  const told = JSON.parse(Aes.AesGcm.decrypt(ciphertext, keys.wechatApiKey, nonce, associated_data));
  assert.equal(told.out_trade_no, number);
  assert.equal(told.amount.total, 1230);

  const refund = { out_trade_no: number, out_refund_no: 'r1', amount: { refund: 230, total: 1230, currency: 'CNY' } };
  const refunded = await client.v3.refund.domestic.refunds.post(refund);
  assert.equal(refunded.data.status, 'PROCESSING');
  const known = await client.v3.refund.domestic.refunds.r1.get();
  assert.equal(known.data.status, 'SUCCESS');
  const much = { ...refund, out_refund_no: 'r2', amount: { refund: 1001, total: 1230, currency: 'CNY' } };
  await assert.rejects(client.v3.refund.domestic.refunds.post(much), (error) => error.response.status === 400);
});

test('wechatpay-axios-plugin closes, and a stranger is refused', async () => {
  const client = wechat();
  const number = 'node000002';
  await client.v3.pay.transactions.native.post(order(number));
  const closed = await client.v3.pay.transactions.outTradeNo[number].close.post({ mchid: keys.wechatMchId });
  assert.equal(closed.status, 204);
  const stranger = wechat(other).v3.pay.transactions.native.post(order('node000003'));
  await assert.rejects(stranger, (error) => error.response.status === 401);
  const params = { mchid: keys.wechatMchId };
  const unknown = client.v3.pay.transactions.outTradeNo.node999999.get({ params });
  await assert.rejects(unknown, (error) => error.response.status === 404);
});

test('what we sign is what they verify', () => {
  const sdk = new AlipaySdk({
    appId: keys.alipayAppId,
    privateKey: keys.alipayAppKey,
    keyType: 'PKCS8',
    // The application's own public key: the one Alipay verifies our requests with.
    alipayPublicKey: ours.alipayAppPublicKey,
  });
  assert.ok(sdk.checkNotifySign({ ...ours.notice }));
  assert.ok(!sdk.checkNotifySign({ ...ours.notice, seller_id: '1' }));

  const { method, path, body, authorization } = ours.call;
  const part = (name) => new RegExp(`${name}="([^"]*)"`).exec(authorization)[1];
  const text = Formatter.request(method, path, part('timestamp'), part('nonce_str'), body);
  const key = Rsa.from(ours.wechatMerchantPublicKey, Rsa.KEY_TYPE_PUBLIC);
  assert.ok(Rsa.verify(text, part('signature'), key));
  assert.ok(!Rsa.verify(text.replace('native', 'jsapi'), part('signature'), key));
});
