import { Item, Picker } from '@adobe/react-spectrum/Picker';
import { Radio, RadioGroup } from '@adobe/react-spectrum/RadioGroup';
import type { ExternalRepository } from '@repoless/contract/build-management.ts';
import { createBuildManagementPort } from '@repoless/core/api/sync-port.ts';
import type { Client } from '@repoless/core/api/client.ts';
import type { ServicePort } from '@repoless/core/situation/ports.ts';
import type { CodeChoice } from '@repoless/core/situation/code-choice.ts';
import { externalChoice, secretHolder } from '@repoless/core/sync/repository-groups.ts';
import { useCallback, useMemo, useState } from 'react';
import { Unread } from '../../ui/Unread.tsx';
import { useMessages } from '../../ui/use-messages.ts';
import { useReading } from '../../ui/use-reading.ts';

interface Props {
  /** For build management. */
  readonly client: Client;
  readonly service: Pick<ServicePort, 'allSites'>;
  readonly organization: string;
  /** Its name is complete: the page was read for it. Nothing is requested before. */
  readonly isTyped: boolean;
  /** The program of the page's author; undefined if its address contains none. */
  readonly program: string | undefined;
  readonly siteName: string;
  readonly code: CodeChoice;
  readonly isDisabled: boolean;
  readonly onChange: (code: CodeChoice) => void;
}

/** The source of the code: the code host, or an external repository once one is ready in build management. */
export function ExternalCode({ client, service, organization, isTyped, program, siteName, code, isDisabled, onChange }: Props) {
  const sentences = useMessages('sync');
  const { choices: messages, external } = sentences;
  const builds = useMemo(() => createBuildManagementPort(client), [client]);
  const readRepositories = useCallback(() => builds.repositories(organization), [builds, organization]);
  const readSites = useCallback(() => service.allSites(organization), [service, organization]);
  const [list, readList] = useReading(isTyped ? readRepositories : undefined);
  const [sites] = useReading(isTyped ? readSites : undefined);
  const [host] = useState<CodeChoice>(() => (code.type === 'github' ? code : { type: 'github', owner: organization, repo: organization }));
  const known = list.state === 'ready' ? list.value : undefined;
  const ready = (known?.repositories ?? []).filter(({ state }) => state === 'READY');
  const others = sites.state === 'ready' ? sites.value : [];
  // A repository of another program is never preselected: people choose it themselves.
  const [isExternalChosen, setExternalChosen] = useState(false);
  const isExternal = code.type === 'byogit' || isExternalChosen;
  const choose = (chosen: ExternalRepository | undefined): void => {
    if (chosen !== undefined && known !== undefined) onChange(externalChoice(chosen, known.codeSync, others, siteName));
  };
  const holder = secretHolder(code, others);
  return (
    <>
      <RadioGroup
        label={messages.code}
        value={isExternal ? 'byogit' : 'github'}
        isDisabled={isDisabled}
        onChange={(type) => {
          setExternalChosen(type === 'byogit');
          if (type === 'byogit') choose(ready.find(({ programId }) => programId === program));
          else onChange(host);
        }}
      >
        <Radio value="github">{messages.codeHost}</Radio>
        <Radio value="byogit" isDisabled={code.type !== 'byogit' && ready.length === 0}>
          {messages.external}
        </Radio>
      </RadioGroup>
      {known !== undefined && ready.length === 0 && <p className="rp-quiet">{messages.externalNone}</p>}
      {isExternal && list.state !== 'ready' && (
        <Unread reading={list} loading={external.reading} missing={{ sentence: external.notSet }} onRetry={readList} messages={sentences} />
      )}
      {isExternal && ready.length > 0 && (
        <Picker
          label={messages.externalRepository}
          width="100%"
          isDisabled={isDisabled}
          items={ready.map(({ repositoryId, name, programId }) => ({ id: repositoryId, name: `${name} (${programId}/${repositoryId})` }))}
          selectedKey={code.type === 'byogit' ? code.repo : null}
          onSelectionChange={(key) => choose(ready.find(({ repositoryId }) => repositoryId === key))}
        >
          {(item) => <Item key={item.id}>{item.name}</Item>}
        </Picker>
      )}
      {code.type === 'byogit' && !code.holdsSecret && holder !== undefined && (
        <p className="rp-quiet">{messages.secretElsewhere({ site: holder })}</p>
      )}
    </>
  );
}
