"""Azure OpenAI: OpenAI's protocol at the operator's own resource; a model is the name of a deployment there.

The secret's `endpoint` is `https://<resource>.openai.azure.com/openai/v1`, its `models` are the deployments. Source:
learn.microsoft.com, "Use the GPT Realtime API via WebRTC".
"""

from isnad_providers.openai_family import VOICES, Dialect, expiring, issuer_of, realtime_session, webrtc

ISSUER = issuer_of(
    Dialect(
        name="azure_openai",
        endpoint=None,
        models=(),
        voices=VOICES,
        key_headers=lambda key, _asked: {"api-key": key},
        body=expiring,
        connect=lambda endpoint, _model, secret: webrtc(f"{endpoint}/realtime/calls", secret),
        session=realtime_session,
    )
)
