//! Which web pages may ask for what costs time: those of this server, and those that the
//! operator allows.
//!
//! A browser sends requests to this server for any page that its user opens. Answers from
//! tables are open to all of them. Searches are not: otherwise a page could keep the user's
//! machine busy. `Host` is checked as well, because a page can make its own name stand for
//! this machine.
//!
//! A browser tells the site of a page by `Sec-Fetch-Site`, which it sends to this machine and
//! over HTTPS only, by `Origin`, which it leaves out of plain requests, and by `Referer`,
//! which a page can suppress.

use std::net::IpAddr;

use axum::extract::Request;
use axum::http::uri::Authority;
use axum::http::{HeaderMap, HeaderValue, Uri, Version, header};
use clap::Args;

use super::errors::ApiError;
use crate::messages::one_line;

/// The hosts and origins that may make the engine search.
#[derive(Args, Clone, Debug)]
#[command(next_help_heading = "Access")]
pub struct OriginPolicy {
    /// Name by which browsers reach the server, such as oware.example; several with
    /// commas, or each with the option.
    ///
    /// Requests that make the engine search are refused under other names. IP addresses,
    /// localhost and the name in --listen need not be named.
    #[arg(long = "allow-host", value_name = "NAME", value_delimiter = ',', value_parser = parse_host)]
    hosts: Vec<String>,
    /// Other web site whose pages may make the engine search, such as `https://oware.example`;
    /// several with commas, or each with the option.
    #[arg(long = "allow-origin", value_name = "ORIGIN", value_delimiter = ',', value_parser = parse_origin)]
    pub origins: Vec<HeaderValue>,
}

fn parse_host(text: &str) -> Result<String, String> {
    match text.parse::<Authority>() {
        Ok(host) if host.host() == text => Ok(text.to_ascii_lowercase()),
        _ => Err("the name must be that of a host, without a port".to_owned()),
    }
}

fn parse_origin(text: &str) -> Result<HeaderValue, String> {
    let host = ["http://", "https://"]
        .iter()
        .find_map(|scheme| text.strip_prefix(scheme));
    let is_origin = host.is_some_and(|host| host.parse::<Authority>().is_ok());
    let origin = HeaderValue::from_str(text).ok().filter(|_| is_origin);
    origin.ok_or_else(|| "the origin must be http:// or https:// and a host".to_owned())
}

/// Gives a request its one host (RFC 9112, section 3.2): that of an absolute address, or else
/// the header.
///
/// # Errors
/// If there are several headers, none where HTTP needs one, or one that names a user.
pub fn set_host(request: &mut Request) -> Result<(), ApiError> {
    let given = request.headers().get_all(header::HOST).iter().count();
    if given > 1 || given == 0 && request.version() == Version::HTTP_11 {
        return Err(ApiError::parameters("a request has one header Host"));
    }
    let host = request.headers().get(header::HOST);
    if host.is_some_and(|host| host.as_bytes().contains(&b'@')) {
        return Err(ApiError::parameters("the header Host names no user"));
    }
    let absolute = request.uri().authority().map(Authority::as_str);
    if let Some(Ok(host)) = absolute.map(HeaderValue::from_str) {
        request.headers_mut().insert(header::HOST, host);
    }
    Ok(())
}

impl OriginPolicy {
    /// The policy of a server that listens on this address.
    #[must_use]
    pub fn listening_on(mut self, listen: &str) -> OriginPolicy {
        self.hosts.push("localhost".to_owned());
        if let Ok(address) = listen.parse::<Authority>() {
            self.hosts.push(address.host().to_ascii_lowercase());
        }
        self
    }

    /// Checks a request.
    ///
    /// # Errors
    /// If the page of another site sends it.
    pub fn check(&self, headers: &HeaderMap) -> Result<(), ApiError> {
        let host = text(headers, header::HOST.as_str());
        if let Some(host) = host
            && !self.is_own_host(host)
        {
            return Err(ApiError::Forbidden(format!(
                "'{}' is not a name of this server: allow it with --allow-host",
                one_line(host)
            )));
        }
        let origin = headers.get(header::ORIGIN);
        if origin.is_some_and(|origin| self.origins.contains(origin)) {
            return Ok(());
        }
        // Browsers set this header themselves; a proxy may have changed `Host`.
        let is_own = match text(headers, "sec-fetch-site") {
            Some(site) => ["same-origin", "none"].contains(&site),
            None => match (origin, text(headers, header::REFERER.as_str())) {
                (Some(origin), _) => is_origin_of(origin.to_str().ok(), host),
                (None, Some(page)) => self.allows_page(page) || is_origin_of(Some(page), host),
                (None, None) => true,
            },
        };
        if is_own {
            return Ok(());
        }
        Err(ApiError::Forbidden(
            "pages of other sites may not use this endpoint: allow their origin with \
             --allow-origin"
                .to_owned(),
        ))
    }

    /// Whether an address is one of the allowed sites.
    fn allows_page(&self, page: &str) -> bool {
        let sites = self.origins.iter().filter_map(|site| site.to_str().ok());
        let mut rests = sites.filter_map(|site| page.strip_prefix(site));
        rests.any(|rest| rest.is_empty() || rest.starts_with('/'))
    }

    /// Whether a host stands for this server. An IP address does: no name can be made to
    /// mean it.
    fn is_own_host(&self, host: &str) -> bool {
        let Ok(authority) = host.parse::<Authority>() else {
            return false;
        };
        let name = authority.host().to_ascii_lowercase();
        let address = name.trim_start_matches('[').trim_end_matches(']');
        address.parse::<IpAddr>().is_ok() || self.hosts.contains(&name)
    }
}

/// Whether an origin is that of this host, by either scheme: a proxy may speak the other
/// one.
fn is_origin_of(page: Option<&str>, host: Option<&str>) -> bool {
    let page = page.and_then(|page| page.parse::<Uri>().ok());
    let authority = page.as_ref().and_then(|page| page.authority());
    authority.is_some_and(|authority| Some(authority.as_str()) == host)
}

fn text<'h>(headers: &'h HeaderMap, name: &str) -> Option<&'h str> {
    headers.get(name).map(|value| value.to_str().unwrap_or(""))
}
