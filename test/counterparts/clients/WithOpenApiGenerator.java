import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

import dryrun.model.DryRun;
import service.ApiClient;
import service.ApiException;
import service.ApiResponse;
import service.JSON;
import service.api.SignInApi;
import service.api.SitesApi;
import service.model.HeadersValueItem;
import service.model.LoginLinks;
import service.model.Problem;
import service.model.ProfileAnswer;
import service.model.ProfileRefused;
import service.model.Site;
import service.model.SiteInput;

/** What a program of somebody else does with clients for Java by openapi-generator. Arguments: address, token, site. Prints JSON. */
public final class WithOpenApiGenerator {
  private static final String ORG = "wknd";

  private interface Call {
    void make() throws ApiException;
  }

  public static void main(String[] arguments) throws Exception {
    String address = arguments[0];
    String token = arguments[1];
    String name = arguments[2];
    SitesApi sites = new SitesApi(signedInBy(address, token));

    SiteInput site = SiteInput.fromJson(String.format(
        "{\"code\": {\"owner\": \"%1$s\", \"repo\": \"%1$s\", \"source\": {\"type\": \"github\", \"url\": \"https://github.com/%1$s/%1$s\"}},"
            + "\"content\": {\"source\": {\"type\": \"markup\", \"url\": \"https://content.example.com/bin/franklin.delivery/%1$s/%2$s/main\"}}}",
        ORG, name));
    ApiResponse<Site> made = sites.putSiteWithHttpInfo(ORG, name, null, null, null, null, null, null, null, null, null, site);
    Site read = read(sites, name);

    dryrun.ApiClient rehearsal = new dryrun.ApiClient();
    rehearsal.setBasePath(address);
    ((dryrun.auth.ApiKeyAuth) rehearsal.getAuthentication("token")).setApiKey(token);
    dryrun.model.HeadersValueItem framed = new dryrun.model.HeadersValueItem().key("x-frame-options").value("DENY");
    DryRun tried = new dryrun.api.SitesApi(rehearsal)
        .setSiteHeadersDryRun(ORG, name, "true", Map.of("/**", List.of(framed)), null, null, null, null);
    boolean isFramed = !read(sites, name).getHeaders().isEmpty();
    Map<String, List<HeadersValueItem>> changed = sites.setSiteHeaders(
        ORG, name, Map.of("/**", List.of(new HeadersValueItem().key("x-frame-options").value("DENY"))), null, null, null, null);

    ApiException refused = refusalOf(() -> read(sites, "nowhere"));
    Problem problem = Problem.fromJson(refused.getResponseBody());
    ProfileAnswer signedIn = new SignInApi(signedInBy(address, token)).profile();
    ApiException nobody = refusalOf(() -> new SignInApi(signedInBy(address, "none")).profile());
    ApiClient open = new ApiClient();
    open.setBasePath(address);
    LoginLinks links = LoginLinks.fromJson(JSON.serialize(new SignInApi(open).login(null, null, null, null, null, null, null, null, null)));

    int removed = sites.deleteSiteWithHttpInfo(ORG, name, null, null, null).getStatusCode();
    ApiException gone = refusalOf(() -> read(sites, name));

    List<String> diff = tried.getDiff().stream().map(one -> one.getOp() + " " + one.getPath()).collect(Collectors.toList());
    List<String> frames = changed.get("/**").stream().map(one -> one.getKey() + ": " + one.getValue()).collect(Collectors.toList());
    System.out.println(JSON.serialize(Map.of(
        "made", made.getStatusCode(),
        "read", List.of(read.getName(), read.getCode().getOwner(), read.getContent().getSource().getType()),
        "tried", List.of(tried.getDryRun(), tried.getStatus(), diff, isFramed),
        "changed", frames,
        "refused", List.of(refused.getCode(), problem.getStatus(), problem.getCode()),
        "signedIn", List.of(
            signedIn.getProfile().getEmail(), ProfileRefused.fromJson(nobody.getResponseBody()).getStatus(), links.getLinks().keySet()),
        "removed", List.of(removed, gone.getCode()))));
  }

  private static ApiClient signedInBy(String address, String token) {
    ApiClient client = new ApiClient();
    client.setBasePath(address);
    ((service.auth.ApiKeyAuth) client.getAuthentication("token")).setApiKey(token);
    return client;
  }

  private static Site read(SitesApi sites, String name) throws ApiException {
    return sites.getSite(ORG, name, null, null, null, null, null);
  }

  private static ApiException refusalOf(Call call) {
    try {
      call.make();
    } catch (ApiException refused) {
      return refused;
    }
    throw new AssertionError("It was not refused.");
  }
}
