//! Who sends a request, as far as limits and the log tell clients apart.

use std::convert::Infallible;
use std::fmt;
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};

use axum::extract::FromRequestParts;
use axum::http::HeaderMap;
use axum::http::request::Parts;

/// The header in which proxies name their client.
const FORWARDED: &str = "x-forwarded-for";

/// An address that counts as one client: in IPv6 a whole network of 64 bits, since a
/// single machine has as many addresses as it likes.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Client(IpAddr);

impl From<IpAddr> for Client {
    fn from(address: IpAddr) -> Client {
        Client(match address.to_canonical() {
            IpAddr::V4(address) => IpAddr::V4(address),
            IpAddr::V6(address) => {
                let network = address.to_bits() >> 64 << 64;
                IpAddr::V6(Ipv6Addr::from_bits(network))
            }
        })
    }
}

impl Client {
    /// The client of a request from `peer`. If that is a trusted proxy, the last address
    /// in its header that is not itself a trusted proxy.
    pub fn of_request(peer: IpAddr, headers: &HeaderMap, trusted: &[IpAddr]) -> Client {
        let is_trusted = |address: &IpAddr| trusted.contains(&address.to_canonical());
        let peer = peer.to_canonical();
        if !is_trusted(&peer) {
            return Client::from(peer);
        }
        let lines = headers.get_all(FORWARDED).iter();
        let texts = lines.filter_map(|line| line.to_str().ok());
        let named: Vec<&str> = texts.flat_map(|text| text.split(',')).collect();
        let mut client = peer;
        for text in named.iter().rev() {
            let Ok(address) = text.trim().parse() else {
                break;
            };
            client = address;
            if !is_trusted(&client) {
                break;
            }
        }
        Client::from(client)
    }
}

impl fmt::Display for Client {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {
            IpAddr::V4(address) => address.fmt(f),
            IpAddr::V6(network) => write!(f, "{network}/64"),
        }
    }
}

impl<S: Send + Sync> FromRequestParts<S> for Client {
    type Rejection = Infallible;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Client, Infallible> {
        let found = parts.extensions.get::<Client>().copied();
        // Every connection sets it.
        Ok(found.unwrap_or(Client(Ipv4Addr::UNSPECIFIED.into())))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn client(peer: &str, forwarded: &[&str]) -> String {
        let mut headers = HeaderMap::new();
        for line in forwarded {
            headers.append(FORWARDED, line.parse().unwrap());
        }
        let trusted = ["127.0.0.1", "10.0.0.1"].map(|address| address.parse().unwrap());
        Client::of_request(peer.parse().unwrap(), &headers, &trusted).to_string()
    }

    #[test]
    fn only_trusted_proxies_name_their_clients() {
        for (peer, forwarded, expected) in [
            ("192.0.2.1", &["198.51.100.1"][..], "192.0.2.1"),
            ("127.0.0.1", &[], "127.0.0.1"),
            ("127.0.0.1", &["198.51.100.1"], "198.51.100.1"),
            ("::ffff:127.0.0.1", &["198.51.100.1"], "198.51.100.1"),
            ("127.0.0.1", &["203.0.113.9, 198.51.100.1"], "198.51.100.1"),
            (
                "127.0.0.1",
                &["203.0.113.9", "198.51.100.1, 10.0.0.1"],
                "198.51.100.1",
            ),
            ("127.0.0.1", &["198.51.100.1, unknown"], "127.0.0.1"),
        ] {
            assert_eq!(client(peer, forwarded), expected, "{peer} {forwarded:?}");
        }
    }

    #[test]
    fn a_network_of_ipv6_is_one_client() {
        assert_eq!(client("2001:db8:1:2:3:4:5:6", &[]), "2001:db8:1:2::/64");
        assert_eq!(client("::ffff:192.0.2.1", &[]), "192.0.2.1");
    }
}
