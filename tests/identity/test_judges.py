"""Third-party clients test our protocols: sign-in with WeChat and QQ (social-auth-core), Aliyun's SMS (its own client), codes of
authenticator apps (pyotp, otpauth), mail (aiosmtpd, smtplib)."""

import email
import email.policy
import json
import smtplib
import subprocess
import unittest
import urllib.parse
from datetime import datetime
from pathlib import Path
from types import SimpleNamespace
from unittest import mock

import pyotp
import requests
from alibabacloud_dysmsapi20170525.client import Client as Dysms
from alibabacloud_dysmsapi20170525.models import SendSmsRequest
from alibabacloud_tea_openapi.exceptions import ClientException
from alibabacloud_tea_openapi.utils_models import Config
from social_core.backends.qq import QQOAuth2
from social_core.backends.weixin import WeixinOAuth2
from social_core.exceptions import AuthException, AuthProviderError, AuthSessionError
from social_core.storage import BaseStorage, NonceMixin
from social_core.strategy import BaseStrategy

from world import ALIYUN, PASSWORD, QQ, SUCCESS, WECHAT, eventually, json_of, site

SECOND_FACTOR = 60206
CONFLICT = 60105
#: Appendix B of RFC 6238: its key in base32, seconds, the last six of its eight digits.
RFC_SECRET = "GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ"
RFC_CODES = {
    59: "287082",
    1111111109: "081804",
    1111111111: "050471",
    1234567890: "005924",
    2000000000: "279037",
    20000000000: "353130",
}
SIGNS_IN = ("social_core.pipeline.social_auth.social_details", "social_core.pipeline.social_auth.social_uid", "test_judges.known")


def known(uid, details, **_):
    """The last pipeline step of a sign-in; social-auth-core acts as the website here."""
    return {"user": SimpleNamespace(uid=uid, name=details["username"], is_active=True), "is_new": True}


class Once(NonceMixin):
    """States of pending sign-ins."""

    waiting = set()

    @classmethod
    def use(cls, *nonce):
        cls.waiting.add(nonce)
        return True

    @classmethod
    def consume(cls, *nonce):
        waited = nonce in cls.waiting
        cls.waiting.discard(nonce)
        return waited


class Storage(BaseStorage):
    nonce = Once


class Website(BaseStrategy):
    """A website with one browser as its visitor, with settings and session in memory."""

    def __init__(self, settings: dict):
        super().__init__(storage=Storage)
        self.settings, self.session, self.sent = settings | {"SOCIAL_AUTH_PIPELINE": SIGNS_IN}, {}, {}

    def get_setting(self, name):
        return self.settings[name]

    def request_data(self, merge=True):
        return self.sent

    def request_host(self):
        return "shop.test"

    def build_absolute_uri(self, path=None):
        return f"https://shop.test{path or '/'}"

    def session_get(self, name, default=None):
        return self.session.get(name, default)

    def session_set(self, name, value):
        self.session[name] = value

    def session_pop(self, name):
        return self.session.pop(name, None)


class SocialAuthCore(unittest.TestCase):
    """Like a website, with our addresses in place of the providers' hosts."""

    def setUp(self):
        self.site = site()
        send, sandbox = requests.Session.request, self.site.sandbox
        hosts = {
            "https://open.weixin.qq.com": f"{sandbox}/social/wechat",
            "https://api.weixin.qq.com": f"{sandbox}/social/wechat",
            "https://graph.qq.com": f"{sandbox}/social/qq",
        }

        def here(address):
            for host, own in hosts.items():
                address = address.replace(host, own)
            return address

        self.here = here
        patch = mock.patch.object(
            requests.Session, "request", lambda session, method, url, **rest: send(session, method, here(url), **rest)
        )
        patch.start()
        self.addCleanup(patch.stop)

    def backend(self, of, application):
        key = of.name.upper()
        website = Website({f"SOCIAL_AUTH_{key}_KEY": application[0], f"SOCIAL_AUTH_{key}_SECRET": application[1]})
        return of(website, redirect_uri="https://shop.test/back")

    def agreed(self, backend, provider, name):
        """The parameters that the browser returns after the user agreed on the provider's page."""
        address = self.here(backend.auth_url())
        page = requests.get(address, timeout=10)
        self.assertIn('value="allow"', page.text, address)
        asked = dict(urllib.parse.parse_qsl(urllib.parse.urlsplit(address).query))
        decision = {"provider": provider, "name": name, "redirect_uri": asked["redirect_uri"], "state": asked["state"]}
        answer = requests.post(f"{self.site.sandbox}/api/social/agree", json=decision, timeout=10)
        location = urllib.parse.urlsplit(answer.json()["location"])
        return dict(urllib.parse.parse_qsl(location.query))

    def comes_back(self, backend, fields):
        backend.data = backend.strategy.sent = fields
        return backend.auth_complete()

    def test_wechat_signs_in(self):
        backend = self.backend(WeixinOAuth2, WECHAT)
        fields = self.agreed(backend, "wechat", "小红")
        person = self.comes_back(backend, fields)
        self.assertEqual(person.name, "小红")
        again = self.backend(WeixinOAuth2, WECHAT)
        same = self.comes_back(again, self.agreed(again, "wechat", "小红"))
        self.assertEqual(person.uid, same.uid)
        other = self.backend(WeixinOAuth2, WECHAT)
        self.assertNotEqual(person.uid, self.comes_back(other, self.agreed(other, "wechat", "小刚")).uid)

    def test_wechat_refuses_bad_used_and_foreign_codes(self):
        def refused(code, application=WECHAT):
            backend = self.backend(WeixinOAuth2, application)
            query = urllib.parse.urlsplit(backend.auth_url()).query
            with self.assertRaises(AuthProviderError) as caught:
                self.comes_back(backend, {"code": code, "state": urllib.parse.parse_qs(query)["state"][0]})
            return caught.exception.provider_code

        self.assertEqual(refused("no-code"), 40029)
        backend = self.backend(WeixinOAuth2, WECHAT)
        fields = self.agreed(backend, "wechat", "小红")
        self.comes_back(backend, fields)
        self.assertEqual(refused(fields["code"]), 40163)
        self.assertEqual(refused("x", ("wx0foreign", WECHAT[1])), 40013)
        self.assertEqual(refused("x", (WECHAT[0], "guessed")), 40125)
        tencent = self.backend(QQOAuth2, QQ)
        self.assertEqual(refused(self.agreed(tencent, "qq", "小红")["code"]), 40029, "a code of QQ at WeChat")

    def test_qq_signs_in_and_a_code_is_good_once(self):
        backend = self.backend(QQOAuth2, QQ)
        fields = self.agreed(backend, "qq", "小明")
        person = self.comes_back(backend, fields)
        self.assertEqual(person.name, "小明")
        for code in (fields["code"], "no-code"):
            again = self.backend(QQOAuth2, QQ)
            state = self.agreed(again, "qq", "小明")["state"]
            with self.assertRaises((AuthException, KeyError)):
                self.comes_back(again, {"code": code, "state": state})

    def test_a_state_of_another_browser_is_refused(self):
        for of, application, provider in ((WeixinOAuth2, WECHAT, "wechat"), (QQOAuth2, QQ, "qq")):
            fields = self.agreed(self.backend(of, application), provider, "小红")
            victim = self.backend(of, application)
            victim.auth_url()
            with self.assertRaises(AuthSessionError):
                self.comes_back(victim, fields)


class AliyunsOwnClient(unittest.TestCase):
    def client(self, key=ALIYUN[0], secret=ALIYUN[1]):
        host = urllib.parse.urlsplit(site().sandbox).netloc
        return Dysms(Config(access_key_id=key, access_key_secret=secret, endpoint=host, protocol="http"))

    def message(self, phone="13800000109", code="271828"):
        template = json.dumps({"code": code})
        return SendSmsRequest(phone_numbers=phone, sign_name="玄览云 测试*~", template_code="SMS_7", template_param=template)

    def test_sends_and_is_refused(self):
        told = self.client().send_sms(self.message()).body
        self.assertEqual((told.code, told.message), ("OK", "OK"))
        [kept] = site().sms("13800000109")
        self.assertEqual((kept["code"], kept["purpose"]), ("271828", "SMS_7"))
        self.assertEqual(self.client().send_sms(self.message(phone="12")).body.code, "isv.MOBILE_NUMBER_ILLEGAL")
        for client, code in (
            (self.client(secret="guessed"), "SignatureDoesNotMatch"),
            (self.client(key="somebody"), "InvalidAccessKeyId.NotFound"),
        ):
            with self.assertRaises(ClientException) as caught:
                client.send_sms(self.message())
            self.assertEqual(caught.exception.code, code)
        self.assertEqual(len(site().sms("13800000109")), 1, "a refused message arrives nowhere")


class AuthenticatorApps(unittest.TestCase):
    @staticmethod
    def otpauth(secret: str, *seconds: int) -> list[str]:
        """The codes of otpauth, an npm library."""
        folder = Path(__file__).parent / "node"
        command = ["node", folder / "codes.mjs", secret, *map(str, seconds)]
        return json.loads(subprocess.run(command, check=True, capture_output=True, text=True, timeout=30).stdout)

    def test_codes_are_those_of_the_rfc(self):
        totp = pyotp.TOTP(RFC_SECRET)
        self.assertEqual({at: totp.at(at) for at in RFC_CODES}, RFC_CODES)
        self.assertEqual(self.otpauth(RFC_SECRET, *RFC_CODES), list(RFC_CODES.values()))
        # The sandbox's app only shows the current code.
        shown = lambda: json_of(f"{site().sandbox}/authenticator?secret={RFC_SECRET}")["code"]
        eventually("the same code in all three", lambda: shown() == totp.now() or None, 5)

    def test_our_second_factor_takes_them_once_each(self):
        person = site().person()
        told = person.call("X19")
        app = pyotp.parse_uri(told["uri"])
        self.assertEqual((app.secret, app.issuer, app.digits, app.interval), (told["secret"], "玄览云", 6, 30))
        step = app.timecode(datetime.now())
        # By another library, from the address in the QR code.
        [first] = self.otpauth(told["uri"], step * 30)
        self.assertEqual(first, app.generate_otp(step))
        codes = person.call("X20", verifycode=first)["codes"]
        self.assertEqual(len(set(codes)), 10)

        def signs_in(totp):
            visitor = site().client()
            asked = visitor.answer("A03", username=person.phone, password=PASSWORD)
            self.assertEqual(asked["resp_code"], SECOND_FACTOR, asked)
            ticket = json.loads(asked["datas"])["factorTicket"] if isinstance(asked["datas"], str) else asked["datas"]["factorTicket"]
            form = {"username": person.phone, "password": PASSWORD, "factorTicket": ticket, "totp": totp}
            return visitor.answer("A03", **form)["resp_code"]

        self.assertEqual(signs_in(first), SECOND_FACTOR, "the code that enrolled")
        following = app.generate_otp(step + 1)
        self.assertEqual(signs_in(following), SUCCESS)
        self.assertEqual(signs_in(following), SECOND_FACTOR, "a code twice")
        self.assertEqual(signs_in(app.generate_otp(step + 9)), SECOND_FACTOR, "a code of some minutes ahead")
        self.assertEqual(signs_in(codes[0]), SUCCESS)
        self.assertEqual(signs_in(codes[0]), SECOND_FACTOR, "a recovery code twice")

    def test_so_does_the_operators(self):
        operator = site().operator("judge")
        used = operator.app.totp.generate_otp(operator.app.step)
        self.assertNotEqual(operator.answer("K05", code=used)["resp_code"], SUCCESS, "the code that signed in")
        self.assertEqual(operator.answer("K06")["resp_code"], SUCCESS)


class MailServers(unittest.TestCase):
    def test_a_server_that_is_not_ours_takes_our_mail(self):
        person = site().person()
        key = person.call("X17", email="Zhu.Ren+1@example.com")
        [sent] = eventually("the mail", lambda: site().mailbox.envelopes or None, 10)
        self.assertEqual(sent.rcpt_tos, ["zhu.ren+1@example.com"])
        self.assertEqual(sent.mail_from, "no-reply@xuanlan.test")
        read = email.message_from_bytes(sent.content, policy=email.policy.default)
        self.assertEqual(read["from"].addresses[0].display_name, "玄览云")
        self.assertEqual([str(to) for to in read["to"].addresses], ["zhu.ren+1@example.com"])
        self.assertTrue(read["date"] and read["subject"])
        self.assertEqual(read.defects, [])
        text = read.get_content()
        code = next(word for word in "".join(c if c.isdigit() else " " for c in text).split() if len(word) == 6)
        form = {"email": "zhu.ren+1@example.com", "mailKey": key}
        wrong = "000000" if code != "000000" else "111111"
        self.assertNotEqual(person.answer("X18", verifycode=wrong, **form)["resp_code"], SUCCESS)
        person.call("X18", verifycode=code, **form)
        self.assertTrue(site().client().sign_in("zhu.ren+1@example.com", PASSWORD).token)

    def test_the_sandboxs_server_takes_the_mail_of_a_client_that_is_not_ours(self):
        message = email.message.EmailMessage(policy=email.policy.SMTP)
        message["From"], message["To"], message["Subject"] = "a@example.com", "pan@example.com", "验证码"
        message.set_content("您的验证码是 314159\r\n.\r\n..尾")
        with smtplib.SMTP("127.0.0.1", site().sandbox_mail, timeout=10) as server:
            server.send_message(message)
            with self.assertRaises(smtplib.SMTPRecipientsRefused):
                server.sendmail("a@example.com", ["bounce@example.com"], message.as_bytes())
        [kept] = json_of(f"{site().sandbox}/mail?to=pan@example.com")
        self.assertEqual((kept["subject"], kept["code"]), ("验证码", "314159"))
        self.assertEqual(kept["text"].splitlines()[1:], [".", "..尾"])
