import type { claim as english } from '../en/claim.ts';

export const claim: typeof english = {
  title: (organization) => `Die Organisation „${organization}“ in Besitz nehmen`,
  text: 'Ist die Organisation schon in Besitz genommen, bitten Sie einen ihrer Administratoren um Zugriff: Wer keine Rolle in ihr hat, erfährt das nicht. Sonst nehmen Sie sie hier in Besitz. Der Eigentümer der Organisation auf dem Code-Host weist das einmal nach: mit einer kleinen Datei in einem ihrer Repositorys. Ein Betreiber des Konfigurationsdienstes kann sie auch ohne diese Datei in Besitz nehmen.',
  repository: 'Repository der Organisation',
  repositoryHelp: 'Sie müssen in dessen Branch main schreiben dürfen.',
  get: 'Datei anfordern',
  commit: (path, repository, branch) =>
    `Committen Sie diesen Text als ${path} in den Branch ${branch} von ${repository}, und prüfen Sie dann.`,
  path: 'Datei',
  token: 'Text',
  copyPath: 'Dateinamen kopieren',
  copyToken: 'Text kopieren',
  until: (time) => `Gültig bis ${time}.`,
  check: 'Datei im Repository prüfen',
};
