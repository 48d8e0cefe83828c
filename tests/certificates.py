"""Certificates that are made for a test: a private authority, and what it or another vouches for."""

import datetime
import ipaddress

from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID

_DAY = datetime.timedelta(days=1)


def _name(common_name: str) -> x509.Name:
    return x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, common_name)])


def _pem(certificate: x509.Certificate) -> str:
    return certificate.public_bytes(serialization.Encoding.PEM).decode()


class Authority:
    """A private authority.

    Args:
        name: its name.
        identified: whether its certificates name the key that signed them, as public authorities' do and RFC 5280 wants;
            those of old private ones do not.

    Attributes:
        pem: its own certificate.
    """

    def __init__(self, name: str, *, identified: bool = False) -> None:
        self._name, self._key, self._identified = _name(name), ec.generate_private_key(ec.SECP256R1()), identified
        now = datetime.datetime.now(datetime.UTC)
        made = (
            x509.CertificateBuilder()
            .subject_name(self._name)
            .issuer_name(self._name)
            .public_key(self._key.public_key())
            .serial_number(x509.random_serial_number())
            .not_valid_before(now - 20 * _DAY)
            .not_valid_after(now + 20 * _DAY)
            .add_extension(x509.BasicConstraints(ca=True, path_length=None), critical=True)
        )
        if identified:
            usage = dict.fromkeys(
                ("digital_signature", "content_commitment", "key_encipherment", "data_encipherment", "key_agreement",
                 "crl_sign", "encipher_only", "decipher_only"), False,
            )  # fmt: skip
            made = made.add_extension(x509.KeyUsage(key_cert_sign=True, **usage), critical=True).add_extension(
                x509.SubjectKeyIdentifier.from_public_key(self._key.public_key()), critical=False
            )
        self.pem = _pem(made.sign(self._key, hashes.SHA256()))

    def certificate(self, host: str, *, expired: bool = False) -> tuple[str, str]:
        """Vouch for a host name or address.

        Args:
            host: what the certificate names.
            expired: whether it ended yesterday.

        Returns:
            The certificate and its key, each in PEM form.
        """
        key = ec.generate_private_key(ec.SECP256R1())
        now = datetime.datetime.now(datetime.UTC)
        try:
            subject: x509.GeneralName = x509.IPAddress(ipaddress.ip_address(host))
        except ValueError:
            subject = x509.DNSName(host)
        made = (
            x509.CertificateBuilder()
            .subject_name(_name(host))
            .issuer_name(self._name)
            .public_key(key.public_key())
            .serial_number(x509.random_serial_number())
            .not_valid_before(now - 10 * _DAY)
            .not_valid_after(now - _DAY if expired else now + 10 * _DAY)
            .add_extension(x509.SubjectAlternativeName([subject]), critical=False)
        )
        if self._identified:
            made = made.add_extension(
                x509.AuthorityKeyIdentifier.from_issuer_public_key(self._key.public_key()), critical=False
            )
        private = key.private_bytes(
            serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
        )
        return _pem(made.sign(self._key, hashes.SHA256())), private.decode()
