/** What has versions: a site, a profile, or the organization itself. */
export type HistorySubject =
  | { readonly kind: 'organization'; readonly organization: string }
  | { readonly kind: 'site' | 'profile'; readonly organization: string; readonly name: string };

/** The address of a subject's configuration at the service, without its extension: `/config/wknd/sites/ch-de`. */
export function subjectPath(subject: HistorySubject): string {
  const organization = `/config/${encodeURIComponent(subject.organization)}`;
  if (subject.kind === 'organization') return organization;
  return `${organization}/${subject.kind === 'site' ? 'sites' : 'profiles'}/${encodeURIComponent(subject.name)}`;
}

/** Its name for authors. */
export function subjectName(subject: HistorySubject): string {
  return subject.kind === 'organization' ? subject.organization : subject.name;
}
