/** What an integrator's machine may do with its own record: rotate its key. */
@NullMarked
package dev.countersign.server.integrations;

import org.jspecify.annotations.NullMarked;
