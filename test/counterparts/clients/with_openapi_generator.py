"""What a program of somebody else does with clients for Python by openapi-generator. Arguments: address, token, site. Prints JSON."""

import json
import sys

import dry_run
import service
from dry_run.api.sites_api import SitesApi as TriedSitesApi
from service.api.sign_in_api import SignInApi
from service.api.sites_api import SitesApi
from service.exceptions import NotFoundException, UnauthorizedException
from service.models.code_source import CodeSource
from service.models.content_source import ContentSource
from service.models.headers_value_item import HeadersValueItem
from service.models.site_input import SiteInput

address, token, name = sys.argv[1:]
org = "wknd"


def signed_in_by(value):
    return service.ApiClient(service.Configuration(host=address, api_key={"token": value}))


client = signed_in_by(token)
sites = SitesApi(client)

site = SiteInput(
    code=CodeSource.from_dict({"owner": org, "repo": org, "source": {"type": "github", "url": f"https://github.com/{org}/{org}"}}),
    content=ContentSource.from_dict(
        {"source": {"type": "markup", "url": f"https://content.example.com/bin/franklin.delivery/{org}/{name}/main"}}
    ),
)
made = sites.put_site_with_http_info(org, name, site_input=site)
read = sites.get_site(org, name)

rehearsal = TriedSitesApi(dry_run.ApiClient(dry_run.Configuration(host=address, api_key={"token": token})))
framed = {"key": "x-frame-options", "value": "DENY"}
tried = rehearsal.set_site_headers_dry_run(org, name, "true", {"/**": [dry_run.HeadersValueItem.from_dict(framed)]})
before = sites.get_site(org, name)
changed = sites.set_site_headers(org, name, {"/**": [HeadersValueItem.from_dict(framed)]})


def refusal_of(kind, call):
    try:
        call()
    except kind as refused:
        return refused
    raise AssertionError("It was not refused.")


refused = refusal_of(NotFoundException, lambda: sites.get_site(org, "nowhere"))
signed_in = SignInApi(client).profile()
nobody = refusal_of(UnauthorizedException, lambda: SignInApi(signed_in_by("none")).profile())
links = SignInApi(service.ApiClient(service.Configuration(host=address))).login()

removed = sites.delete_site_with_http_info(org, name)
gone = refusal_of(NotFoundException, lambda: sites.get_site(org, name))

print(
    json.dumps(
        {
            "made": made.status_code,
            "read": [read.name, read.code.owner, read.content.source.type],
            "tried": [tried.dry_run, tried.status, [f"{one.op} {one.path}" for one in tried.diff], bool(before.headers)],
            "changed": [f"{one.key}: {one.value}" for one in changed["/**"]],
            "refused": [refused.status, refused.data.status, refused.data.code],
            "signedIn": [signed_in.profile.email, nobody.data.status, list(links.links)],
            "removed": [removed.status_code, gone.status],
        }
    )
)
