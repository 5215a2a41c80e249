import { Item, Picker } from '@adobe/react-spectrum/Picker';
import { Radio, RadioGroup } from '@adobe/react-spectrum/RadioGroup';
import { useCallback, useMemo, useState } from 'react';
import { createBuildManagementPort } from '#extension/api/build-management-port.ts';
import type { Client } from '#extension/api/client.ts';
import { externalChoice, secretHolder } from '#extension/setup/sync/external-choice.ts';
import type { ServicePort } from '#extension/setup/ports.ts';
import type { CodeChoice } from '#extension/setup/settings.ts';
import { Unread } from '../shared/Unread.tsx';
import { useReading } from '../shared/use-reading.ts';
import { useSyncWords } from '../sync-status/use-sync-words.ts';

interface Props {
  /** Of build management. */
  readonly client: Client;
  readonly service: Pick<ServicePort, 'allSites'>;
  readonly organization: string;
  readonly siteName: string;
  readonly code: CodeChoice;
  readonly isDisabled: boolean;
  readonly onChange: (code: CodeChoice) => void;
}

/** Where the code comes from: the code host, or an external repository once one is ready in build management. */
export function ExternalCode({ client, service, organization, siteName, code, isDisabled, onChange }: Props) {
  const { choices: words, external } = useSyncWords();
  const builds = useMemo(() => createBuildManagementPort(client), [client]);
  const readRepositories = useCallback(() => builds.repositories(organization), [builds, organization]);
  const readSites = useCallback(() => service.allSites(organization), [service, organization]);
  const [list, readList] = useReading(readRepositories, never);
  const [sites] = useReading(readSites, never);
  const [host] = useState<CodeChoice>(() => (code.type === 'github' ? code : { type: 'github', owner: organization, repo: organization }));
  const known = list.state === 'ready' ? list.value : undefined;
  const ready = (known?.repositories ?? []).filter(({ state }) => state === 'READY');
  const others = sites.state === 'ready' ? sites.value : [];
  const choose = (repository: string | undefined): void => {
    const chosen = ready.find(({ repositoryId }) => repositoryId === repository) ?? ready[0];
    if (chosen !== undefined && known !== undefined) onChange(externalChoice(chosen, known.codeSync, others, siteName));
  };
  const holder = secretHolder(code, others);
  return (
    <>
      <RadioGroup
        label={words.code}
        value={code.type}
        isDisabled={isDisabled}
        onChange={(type) => (type === 'github' ? onChange(host) : choose(undefined))}
      >
        <Radio value="github">{words.codeHost}</Radio>
        <Radio value="byogit" isDisabled={code.type !== 'byogit' && ready.length === 0}>
          {words.external}
        </Radio>
      </RadioGroup>
      {known !== undefined && ready.length === 0 && <p className="rp-quiet">{words.externalNone}</p>}
      {code.type === 'byogit' && list.state !== 'ready' && (
        <Unread reading={list} loading={external.reading} missing={external.missing} onRetry={readList} />
      )}
      {code.type === 'byogit' && ready.length > 0 && (
        <Picker
          label={words.externalRepository}
          width="100%"
          isDisabled={isDisabled}
          items={ready.map(({ repositoryId, name, programId }) => ({ id: repositoryId, name: `${name} (${programId}/${repositoryId})` }))}
          selectedKey={code.repo}
          onSelectionChange={(key) => choose(key === null ? undefined : String(key))}
        >
          {(item) => <Item key={item.id}>{item.name}</Item>}
        </Picker>
      )}
      {code.type === 'byogit' && !code.holdsSecret && holder !== undefined && <p className="rp-quiet">{words.secretElsewhere(holder)}</p>}
    </>
  );
}

function never(): undefined {
  return undefined;
}
