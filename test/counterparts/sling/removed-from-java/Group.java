package java.security.acl;

import java.security.Principal;
import java.util.Enumeration;

/** The Java platform had this interface until version 13; the repository of Sling 11 still looks for it when it starts. */
public interface Group extends Principal {
    boolean addMember(Principal user);

    boolean removeMember(Principal user);

    boolean isMember(Principal member);

    Enumeration<? extends Principal> members();
}
