"""Third-party clients: they use the sandbox like the real providers, and verify what we sign."""

import json
import os
import threading
import time
import unittest
import urllib.parse
import urllib.request
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from unittest import mock

import requests
from alipay import AliPay
from alipay.exceptions import AliPayException, AliPayValidationError
from wechatpayv3 import WeChatPay, WeChatPayType
from wechatpayv3.utils import build_authorization, load_private_key

SANDBOX = json.loads(os.environ["SANDBOX"])
ADDRESS, KEYS, OTHER, OURS = (SANDBOX[name] for name in ("address", "keys", "other", "ours"))

heard = {}


class Site(BaseHTTPRequestHandler):
    """Receives notifications like a merchant's site."""

    def do_POST(self):
        body = self.rfile.read(int(self.headers["content-length"]))
        heard[self.path] = (dict(self.headers.items()), body)
        self.send_response(200)
        self.end_headers()
        self.wfile.write(b"success")

    def log_message(self, *_):
        pass


server = ThreadingHTTPServer(("127.0.0.1", 0), Site)
threading.Thread(target=server.serve_forever, daemon=True).start()
SITE = f"http://127.0.0.1:{server.server_port}"


def hears(path):
    for _ in range(200):
        if path in heard:
            return heard[path]
        time.sleep(0.025)
    raise AssertionError(f"nothing came to {path}")


def pay(channel, number):
    answer = requests.post(f"{ADDRESS}/api/pay", json={"channel": channel, "outTradeNo": number}, timeout=10)
    assert answer.status_code == 200, answer.text


class Alipay(unittest.TestCase):
    def client(self, key=KEYS["alipayAppKey"], alipay_key=KEYS["alipayPublicKey"]):
        client = AliPay(
            appid=KEYS["alipayAppId"],
            app_notify_url=f"{SITE}/alipay",
            app_private_key_string=key,
            alipay_public_key_string=alipay_key,
        )
        client._gateway = f"{ADDRESS}/alipay/gateway.do"
        return client

    def open(self, client, number):
        order = client.api_alipay_trade_page_pay("会员一年", number, "12.30", return_url=f"{SITE}/back")
        return requests.get(f"{client._gateway}?{order}", allow_redirects=False, timeout=10)

    def test_pays_asks_is_notified_refunds(self):
        client = self.client()
        self.assertEqual(self.open(client, "python0001").status_code, 303)
        waiting = client.api_alipay_trade_query(out_trade_no="python0001")
        self.assertEqual(waiting["trade_status"], "WAIT_BUYER_PAY")
        pay("alipay", "python0001")
        paid = client.api_alipay_trade_query(out_trade_no="python0001")
        self.assertEqual((paid["trade_status"], paid["total_amount"]), ("TRADE_SUCCESS", "12.30"))

        _, body = hears("/alipay")
        told = dict(urllib.parse.parse_qsl(body.decode()))
        sign = told.pop("sign")
        self.assertTrue(client.verify(dict(told), sign))
        self.assertFalse(client.verify({**told, "total_amount": "0.01"}, sign))

        refund = {"out_trade_no": "python0001", "out_request_no": "r9"}
        self.assertEqual(client.api_alipay_trade_refund("2.30", **refund)["fund_change"], "Y")
        self.assertEqual(client.api_alipay_trade_refund("2.30", **refund)["fund_change"], "N")
        known = client.api_alipay_trade_fastpay_refund_query("r9", out_trade_no="python0001")
        self.assertEqual(known["refund_amount"], "2.30")

    def test_closes(self):
        client = self.client()
        self.open(client, "python0002")
        self.assertEqual(client.api_alipay_trade_close(out_trade_no="python0002")["code"], "10000")
        self.assertEqual(client.api_alipay_trade_query(out_trade_no="python0002")["trade_status"], "TRADE_CLOSED")
        unknown = client.api_alipay_trade_close(out_trade_no="nothing")
        self.assertEqual(unknown["sub_code"], "ACQ.TRADE_NOT_EXIST")

    def test_a_stranger_is_refused(self):
        answer = self.client(key=OTHER).api_alipay_trade_query(out_trade_no="python0001")
        self.assertEqual(answer["sub_code"], "isv.invalid-signature")
        # A client with another key for Alipay must reject the response.
        doubting = self.client(alipay_key=OURS["alipayAppPublicKey"])
        with self.assertRaises((AliPayException, AliPayValidationError)):
            doubting.api_alipay_trade_query(out_trade_no="python0001")

    def test_our_form_is_signed(self):
        verifier = self.client(alipay_key=OURS["alipayAppPublicKey"])
        form = dict(OURS["form"])
        sign = form.pop("sign")
        line = "&".join(f"{name}={form[name]}" for name in sorted(form))
        self.assertTrue(verifier._verify(line, sign))
        self.assertFalse(verifier._verify(line.replace("299.00", "0.01"), sign))
        # The same parameters, signed by the third-party client, give the same signature.
        signed = dict(urllib.parse.parse_qsl(verifier.sign_data(form)))
        self.assertEqual(signed["sign"], sign)


class Wechat(unittest.TestCase):
    def client(self, key=KEYS["wechatMerchantKey"], by_certificate=False, path="/wechat"):
        named = {} if by_certificate else {
            "public_key": KEYS["wechatPublicKey"],
            "public_key_id": KEYS["wechatPublicKeyId"],
        }
        return WeChatPay(
            wechatpay_type=WeChatPayType.NATIVE,
            mchid=KEYS["wechatMchId"],
            private_key=key,
            cert_serial_no=KEYS["wechatSerial"],
            appid=KEYS["wechatAppId"],
            apiv3_key=KEYS["wechatApiKey"],
            notify_url=f"{SITE}{path}",
            **named,
        )

    def setUp(self):
        # The client's host is not configurable.
        send = requests.Session.request

        def at_sandbox(session, method, url, **rest):
            url = url.replace("https://api.mch.weixin.qq.com", f"{ADDRESS}/wechat")
            return send(session, method, url, **rest)

        patch = mock.patch.object(requests.Session, "request", at_sandbox)
        patch.start()
        self.addCleanup(patch.stop)

    def order(self, client, number):
        code, message = client.pay(description="会员一年", out_trade_no=number, amount={"total": 1230})
        return code, json.loads(message)

    def test_pays_asks_is_notified_refunds(self):
        # The client itself fetches, decrypts and uses the certificates.
        for number, by_certificate in (("python0001", False), ("python0002", True)):
            path = f"/wechat/{number}"
            client = self.client(by_certificate=by_certificate, path=path)
            code, told = self.order(client, number)
            self.assertEqual(code, 200, told)
            self.assertTrue(told["code_url"].startswith("weixin://wxpay/bizpayurl?pr="))
            pay("wechat", number)
            code, message = client.query(out_trade_no=number)
            self.assertEqual((code, json.loads(message)["trade_state"]), (200, "SUCCESS"))
            headers, body = hears(path)
            told = client.callback({name.lower(): value for name, value in headers.items()}, body)
            self.assertEqual(told["resource"]["out_trade_no"], number)
            changed = body.replace(b"TRANSACTION.SUCCESS", b"TRANSACTION.success")
            self.assertFalse(client.callback({name.lower(): value for name, value in headers.items()}, changed))
            amount = {"refund": 230, "total": 1230, "currency": "CNY"}
            refunded = client.refund(out_refund_no=f"r{number}", out_trade_no=number, amount=amount)
            self.assertEqual(refunded[0], 200)
            known = json.loads(client.query_refund(f"r{number}")[1])
            self.assertEqual((known["status"], known["amount"]["refund"]), ("SUCCESS", 230))

    def test_closes(self):
        client = self.client()
        self.order(client, "python0003")
        self.assertEqual(client.close("python0003")[0], 204)
        self.assertEqual(json.loads(client.query(out_trade_no="python0003")[1])["trade_state"], "CLOSED")

    def test_a_stranger_is_refused(self):
        code, told = self.order(self.client(key=OTHER), "python0004")
        self.assertEqual((code, told["code"]), (401, "SIGN_ERROR"))

    def test_our_header_is_theirs(self):
        call = OURS["call"]
        part = lambda name: call["authorization"].split(f'{name}="')[1].split('"')[0]
        with mock.patch("time.time", return_value=int(part("timestamp"))):
            theirs = build_authorization(
                call["path"],
                call["method"],
                KEYS["wechatMchId"],
                KEYS["wechatSerial"],
                load_private_key(KEYS["wechatMerchantKey"]),
                data=call["body"],
                nonce_str=part("nonce_str"),
            )
        self.assertEqual(call["authorization"], theirs)


if __name__ == "__main__":
    unittest.main()
