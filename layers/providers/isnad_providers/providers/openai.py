"""OpenAI Realtime: a client secret with the session's configuration in it; the browser connects over WebRTC."""

from isnad_providers.openai_family import (
    VOICES,
    Dialect,
    bearer,
    expiring,
    issuer_of,
    realtime_session,
    webrtc,
)

ISSUER = issuer_of(
    Dialect(
        name="openai",
        endpoint="https://api.openai.com/v1",
        # Without those that are to be shut down (developers.openai.com, "Deprecations"; openai 3.57.0 marks them).
        models=("gpt-realtime-2.1", "gpt-realtime-2.1-mini", "gpt-realtime-2", "gpt-realtime-1.5"),
        voices=VOICES,
        key_headers=bearer,
        body=expiring,
        connect=lambda endpoint, _model, secret: webrtc(f"{endpoint}/realtime/calls", secret),
        session=realtime_session,
    )
)
