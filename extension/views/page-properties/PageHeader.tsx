import { ActionButton } from '@adobe/react-spectrum/ActionButton';
import { StatusLight } from '@adobe/react-spectrum/StatusLight';
import { Text } from '@adobe/react-spectrum/Text';
import HistoryIcon from '@spectrum-icons/workflow/History';
import UserLock from '@spectrum-icons/workflow/UserLock';
import type { Situation } from '#extension/setup/situation.ts';
import { useWords } from '../use-words.ts';
import type { Tone } from './step-view.ts';

interface Props {
  readonly situation: Situation;
  readonly state: { readonly label: string; readonly tone: Tone };
  /** Opens the history of the page's site; absent while it has no name. */
  readonly onHistory: (() => void) | undefined;
  /** Opens who may do what on the page's site; absent while there is no site. */
  readonly onAccess: (() => void) | undefined;
}

/** Which page this is, and how it stands with it. */
export function PageHeader({ situation, state, onHistory, onAccess }: Props) {
  const words = useWords();
  const { settings, profile } = situation;
  return (
    <header className="rp-header">
      <div className="rp-header-text">
        <p className="rp-eyebrow">{words.page.eyebrow}</p>
        <h1>{settings.title ?? settings.siteRoot}</h1>
        <p className="rp-quiet rp-code">{settings.siteRoot}</p>
        {settings.page !== settings.siteRoot && <p className="rp-quiet">{words.page.openedFrom(settings.page)}</p>}
      </div>
      <div className="rp-header-state">
        <StatusLight variant={state.tone}>{state.label}</StatusLight>
        {profile.state === 'known' && <span className="rp-quiet">{words.page.signedInAs(profile.value.email)}</span>}
        {(onHistory !== undefined || onAccess !== undefined) && (
          <div className="rp-actions">
            {onHistory !== undefined && (
              <ActionButton onPress={onHistory}>
                <HistoryIcon />
                <Text>{words.history.open}</Text>
              </ActionButton>
            )}
            {onAccess !== undefined && (
              <ActionButton onPress={onAccess}>
                <UserLock />
                <Text>{words.access.open}</Text>
              </ActionButton>
            )}
          </div>
        )}
      </div>
    </header>
  );
}
