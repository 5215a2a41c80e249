"""What a program of somebody else does with clients by openapi-python-client. Arguments: address, token, site. Prints JSON."""

import json
import sys

from dry_run import AuthenticatedClient as DryRunClient
from dry_run.api.sites import set_site_headers_dry_run
from dry_run.models.headers import Headers as TriedHeaders
from dry_run.models.set_site_headers_dry_run_dry_run import SetSiteHeadersDryRunDryRun
from service import AuthenticatedClient, Client
from service.api.sign_in import login, profile
from service.api.sites import delete_site, get_site, put_site, set_site_headers
from service.models.headers import Headers
from service.models.site_input import SiteInput

address, token, name = sys.argv[1:]
org = "wknd"
client = AuthenticatedClient(base_url=address, token=token)

site = SiteInput.from_dict(
    {
        "code": {"owner": org, "repo": org, "source": {"type": "github", "url": f"https://github.com/{org}/{org}"}},
        "content": {"source": {"type": "markup", "url": f"https://content.example.com/bin/franklin.delivery/{org}/{name}/main"}},
    }
)
made = put_site.sync_detailed(org, name, client=client, body=site)
read = get_site.sync(org, name, client=client)

framed = {"/**": [{"key": "x-frame-options", "value": "DENY"}]}
rehearsal = DryRunClient(base_url=address, token=token)
tried = set_site_headers_dry_run.sync(
    org, name, client=rehearsal, dry_run=SetSiteHeadersDryRunDryRun.TRUE, body=TriedHeaders.from_dict(framed)
)
before = get_site.sync(org, name, client=client)
changed = set_site_headers.sync(org, name, client=client, body=Headers.from_dict(framed))

refused = get_site.sync_detailed(org, "nowhere", client=client)
signed_in = profile.sync(client=client)
nobody = profile.sync(client=AuthenticatedClient(base_url=address, token="none"))
links = login.sync(client=Client(base_url=address))

removed = delete_site.sync_detailed(org, name, client=client)
gone = get_site.sync_detailed(org, name, client=client)

print(
    json.dumps(
        {
            "made": int(made.status_code),
            "read": [read.name, read.code.owner, read.content.source.type_],
            "tried": [tried.dry_run, tried.status, [f"{one.op} {one.path}" for one in tried.diff], bool(before.headers)],
            "changed": [f"{one.key}: {one.value}" for one in changed["/**"]],
            "refused": [int(refused.status_code), refused.parsed.status, refused.parsed.code],
            "signedIn": [signed_in.profile.email, nobody.status, list(links.links.to_dict())],
            "removed": [int(removed.status_code), int(gone.status_code)],
        }
    )
)
