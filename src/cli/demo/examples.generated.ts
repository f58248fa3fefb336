/** Generated from the folder `examples` by `npm run generate`. Do not edit. */
import type { JsonObject } from '../../base/json.ts';
import type { DemoExample } from './render.ts';

/** What the cluster holds before each write. */
export const state: readonly JsonObject[] = [
  {
    "apiVersion": "about.k8s.io/v1beta1",
    "kind": "ClusterProperty",
    "metadata": {
      "name": "cluster.clusterset.k8s.io"
    },
    "spec": {
      "value": "east"
    }
  },
  {
    "apiVersion": "about.k8s.io/v1beta1",
    "kind": "ClusterProperty",
    "metadata": {
      "name": "clusterset.k8s.io"
    },
    "spec": {
      "value": "retail"
    }
  },
  {
    "apiVersion": "cluster.open-cluster-management.io/v1alpha1",
    "kind": "ClusterClaim",
    "metadata": {
      "name": "region.example.com"
    },
    "spec": {
      "value": "eu-central"
    }
  },
  {
    "apiVersion": "multicluster.x-k8s.io/v1alpha1",
    "kind": "ClusterClaim",
    "metadata": {
      "name": "region.example.com"
    },
    "spec": {
      "value": "eu-central"
    }
  },
  {
    "apiVersion": "features.x-k8s.io/v1alpha1",
    "kind": "Feature",
    "metadata": {
      "name": "multi-cluster-dns",
      "namespace": "networking"
    },
    "spec": {},
    "status": {
      "default": "Enabled",
      "source": "Default",
      "state": "Off"
    }
  },
  {
    "apiVersion": "multicluster.x-k8s.io/v1alpha1",
    "kind": "ClusterProfile",
    "metadata": {
      "name": "east",
      "namespace": "fleet",
      "labels": {
        "x-k8s.io/cluster-manager": "ocm",
        "multicluster.x-k8s.io/inventory-member-id": "member-east"
      }
    },
    "spec": {
      "displayName": "East",
      "clusterManager": {
        "name": "ocm"
      }
    }
  },
  {
    "apiVersion": "multicluster.x-k8s.io/v1alpha1",
    "kind": "InventoryCluster",
    "metadata": {
      "name": "east",
      "labels": {
        "x-k8s.io/cluster-manager": "ocm"
      }
    },
    "spec": {
      "displayName": "East",
      "clusterManager": {
        "name": "ocm"
      }
    }
  }
];

export const examples: readonly (DemoExample & { readonly object: JsonObject })[] = [
  {
    "file": "examples/bad/clusterproperty-id-changed.yaml",
    "title": "A pipeline changes the id of a cluster that belongs to a ClusterSet.",
    "object": {
      "apiVersion": "about.k8s.io/v1beta1",
      "kind": "ClusterProperty",
      "metadata": {
        "name": "cluster.clusterset.k8s.io"
      },
      "spec": {
        "value": "west"
      }
    }
  },
  {
    "file": "examples/good/clusterclaim-id.yaml",
    "title": "A new cluster gets its id: a DNS label.",
    "object": {
      "apiVersion": "multicluster.x-k8s.io/v1alpha1",
      "kind": "ClusterClaim",
      "metadata": {
        "name": "id.k8s.io"
      },
      "spec": {
        "value": "east"
      }
    }
  },
  {
    "file": "examples/bad/clusterclaim-id-syntax.yaml",
    "title": "The id of a cluster is not a DNS label: it has a capital letter and an underscore.",
    "object": {
      "apiVersion": "multicluster.x-k8s.io/v1alpha1",
      "kind": "ClusterClaim",
      "metadata": {
        "name": "id.k8s.io"
      },
      "spec": {
        "value": "East_1"
      }
    }
  },
  {
    "file": "examples/bad/clusterclaim-reserved-name.yaml",
    "title": "A team takes a name for its own claim that belongs to Kubernetes.",
    "object": {
      "apiVersion": "multicluster.x-k8s.io/v1alpha1",
      "kind": "ClusterClaim",
      "metadata": {
        "name": "region.k8s.io"
      },
      "spec": {
        "value": "eu-central"
      }
    }
  },
  {
    "file": "examples/bad/ocm-clusterclaim-clusterset-without-id.yaml",
    "title": "A cluster without an id is made a member of a ClusterSet.",
    "object": {
      "apiVersion": "cluster.open-cluster-management.io/v1alpha1",
      "kind": "ClusterClaim",
      "metadata": {
        "name": "clusterset.k8s.io"
      },
      "spec": {
        "value": "retail"
      }
    }
  },
  {
    "file": "examples/good/inventorycluster-without-label.yaml",
    "title": "A new cluster in the inventory lacks the label of its manager; muster adds it.",
    "object": {
      "apiVersion": "multicluster.x-k8s.io/v1alpha1",
      "kind": "InventoryCluster",
      "metadata": {
        "name": "west"
      },
      "spec": {
        "displayName": "West",
        "clusterManager": {
          "name": "ocm"
        }
      }
    }
  },
  {
    "file": "examples/bad/inventorycluster-manager-changed.yaml",
    "title": "A second cluster manager takes over a cluster that the first one manages.",
    "object": {
      "apiVersion": "multicluster.x-k8s.io/v1alpha1",
      "kind": "InventoryCluster",
      "metadata": {
        "name": "east",
        "labels": {
          "x-k8s.io/cluster-manager": "karmada"
        }
      },
      "spec": {
        "displayName": "East",
        "clusterManager": {
          "name": "karmada"
        }
      }
    }
  },
  {
    "file": "examples/bad/clusterprofile-label-mismatch.yaml",
    "title": "The label of a new cluster in the inventory names another manager than its spec.",
    "object": {
      "apiVersion": "multicluster.x-k8s.io/v1alpha1",
      "kind": "ClusterProfile",
      "metadata": {
        "name": "west",
        "namespace": "fleet",
        "labels": {
          "x-k8s.io/cluster-manager": "karmada",
          "multicluster.x-k8s.io/inventory-member-id": "member-west"
        }
      },
      "spec": {
        "displayName": "West",
        "clusterManager": {
          "name": "ocm"
        }
      }
    }
  },
  {
    "file": "examples/good/feature-turning-on.yaml",
    "title": "A controller begins to turn a feature on: from Off to TurningOn, with its tasks.",
    "object": {
      "apiVersion": "features.x-k8s.io/v1alpha1",
      "kind": "Feature",
      "metadata": {
        "name": "multi-cluster-dns",
        "namespace": "networking"
      },
      "spec": {},
      "status": {
        "default": "Enabled",
        "source": "Default",
        "state": "TurningOn",
        "transitionTasks": [
          "MigrateRecords",
          "WaitForUses"
        ]
      }
    }
  },
  {
    "file": "examples/bad/feature-without-tasks.yaml",
    "title": "A controller begins to turn a feature on, and names no task.",
    "object": {
      "apiVersion": "features.x-k8s.io/v1alpha1",
      "kind": "Feature",
      "metadata": {
        "name": "multi-cluster-dns",
        "namespace": "networking"
      },
      "spec": {},
      "status": {
        "default": "Enabled",
        "source": "Default",
        "state": "TurningOn",
        "transitionTasks": []
      }
    }
  }
];
