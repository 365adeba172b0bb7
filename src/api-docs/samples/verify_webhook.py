import base64
import hashlib
import hmac
import time

MAX_AGE_SECONDS = 300


def is_from_tradepost(secret: str, headers: dict, body: bytes) -> bool:
    """True for a webhook from Tradepost. body has the raw bytes, before any JSON parser."""
    message_id = headers.get("webhook-id", "")
    timestamp = headers.get("webhook-timestamp", "")
    if not timestamp.isdigit() or abs(time.time() - int(timestamp)) > MAX_AGE_SECONDS:
        return False
    key = base64.b64decode(secret.removeprefix("whsec_"))
    signed = f"{message_id}.{timestamp}.".encode() + body
    digest = hmac.new(key, signed, hashlib.sha256).digest()
    expected = f"v1,{base64.b64encode(digest).decode()}".encode()
    # During a rotation there are several signatures.
    given = headers.get("webhook-signature", "").encode().split(b" ")
    return any([hmac.compare_digest(each, expected) for each in given])
