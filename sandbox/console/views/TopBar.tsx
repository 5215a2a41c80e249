import { ActionButton } from '@adobe/react-spectrum/ActionButton';
import { Item, Picker } from '@adobe/react-spectrum/Picker';
import { Switch } from '@adobe/react-spectrum/Switch';
import { LOCALES, type Preferences } from '../session/preferences.ts';
import type { Session } from '../session/use-session.ts';
import type { Environment } from '../settings.ts';

interface TopBarProps {
  readonly environments: readonly Environment[];
  readonly preferences: Preferences;
  readonly session: Session;
  onPreferences(change: Partial<Preferences>): void;
  onSignOut(): void;
}

export function TopBar({ environments, preferences, session, onPreferences, onSignOut }: TopBarProps) {
  return (
    <div className="top-bar">
      <h1>Sites</h1>
      <Picker
        aria-label="Environment"
        items={environments}
        selectedKey={preferences.environment}
        onSelectionChange={(key) => onPreferences({ environment: String(key) })}
        isQuiet
      >
        {(environment) => <Item key={environment.id}>{environment.title}</Item>}
      </Picker>
      <span className="spring" />
      <Switch isSelected={preferences.sharesSignIn} onChange={(sharesSignIn) => onPreferences({ sharesSignIn })}>
        Share sign-in with the extension
      </Switch>
      <Switch isSelected={preferences.theme === 'dark'} onChange={(dark) => onPreferences({ theme: dark ? 'dark' : 'light' })}>
        Dark
      </Switch>
      <Picker
        aria-label="Language"
        items={LOCALES}
        selectedKey={preferences.locale}
        onSelectionChange={(key) => onPreferences({ locale: String(key) })}
        isQuiet
        width="size-1600"
      >
        {(locale) => <Item key={locale.id}>{locale.title}</Item>}
      </Picker>
      <span className="who" title={session.email}>
        {session.name}
      </span>
      <ActionButton isQuiet onPress={onSignOut}>
        Sign out
      </ActionButton>
    </div>
  );
}
